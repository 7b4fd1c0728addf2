// The page that scores two files, and shows the HTML report of the library.
import { score } from '../fovea.mjs';

const [form, said, frame, problem, save] = ['form', 'output', 'iframe', '#problem', '#save'].map(name => document.querySelector('#compare').querySelector(name));
const { stop, workers } = form.elements;
let asked = null;

// Leaves one processor to the browser; each worker needs little memory, since it reads files piece by piece.
workers.value = Math.max(1, Math.min(8, (navigator.hardwareConcurrency ?? 2) - 1));

for (const label of form.querySelectorAll('label.file')) {
  label.addEventListener('dragover', event => (event.preventDefault(), label.classList.add('over')));
  label.addEventListener('dragleave', () => label.classList.remove('over'));
  label.addEventListener('drop', event => {
    event.preventDefault();
    label.classList.remove('over');
    label.querySelector('input').files = event.dataTransfer.files;
  });
}

form.addEventListener('submit', async event => {
  event.preventDefault();
  const { reference, distorted, metrics, frames } = form.elements;
  asked?.abort();
  asked = new AbortController();
  problem.textContent = '';
  frame.hidden = save.hidden = true;
  stop.disabled = false;
  try {
    const pictures = (frames.value.match(/[^\s,]+/g) ?? []).map(Number);
    const result = await score(reference.files[0], distorted.files[0], { pictures,
      metrics: metrics.value.trim() || undefined, workers: Number(workers.value), signal: asked.signal, reports: ['html', 'json'],
      onprogress: (done, total, decoding) => (said.textContent = `${decoding ? `decoding the ${decoding}: ` : ''}${done}${total > 0 ? ` of ${total}` : ''} frames`),
    });
    said.textContent = result.verdict ?? `${result.frames.length} frames`;
    frame.srcdoc = result.report('html');
    for (const link of save.querySelectorAll('a')) {
      URL.revokeObjectURL(link.href);
      link.href = URL.createObjectURL(new Blob([result.report(link.download.split('.')[1])]));
    }
    frame.hidden = save.hidden = false;
    const none = pictures.filter(number => !result.frames.includes(number));
    if (none.length) problem.textContent = `No maps of frame ${none.join(', ')}: it was not scored.`;
  } catch (error) {
    said.textContent = error.name === 'AbortError' ? 'Stopped.' : '';
    problem.textContent = error.name === 'AbortError' ? '' : error.message;
  } finally {
    stop.disabled = true;
  }
});

stop.addEventListener('click', () => asked?.abort());

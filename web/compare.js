// Starts the npm package inside a report page, whose form then scores two files. The package's files become Blobs
// that import each other.
(async () => {
  const files = new Map(), urls = new Map();
  const textOf = (bytes) => new TextDecoder().decode(bytes);

  /** The files of the package by their names without folders. */
  async function unpack() {
    const text = atob(document.getElementById("package").textContent);
    const packed = new Blob([Uint8Array.from(text, (letter) => letter.charCodeAt(0))]);
    const unpacked = new Response(packed.stream().pipeThrough(new DecompressionStream("gzip")));
    const tar = new Uint8Array(await unpacked.arrayBuffer());
    const field = (at, size) => textOf(tar.subarray(at, at + size)).split("\0")[0];
    for (let at = 0; tar[at];) {
      const size = parseInt(field(at + 124, 12), 8);
      files.set(field(at, 100).split("/").pop(), tar.subarray(at + 512, at + 512 + size));
      at += 512 * (1 + Math.ceil(size / 512));
    }
  }

  /**
   * Returns a module and its imports as one script: Chromium does not start modules as workers in pages of file URLs.
   */
  function flat(name) {
    return textOf(files.get(name)).replace(/^import .* from '\.\/([\w.]+)';$/gm, (_, other) => flat(other))
      .replace(/^export /gm, "");
  }

  /** Returns the text of a module with the names of other files replaced by their addresses. */
  function moduleOf(name) {
    return textOf(files.get(name)).replace("{ type: 'module' }", "{}")
      .replace(/'\.\.?\/([\w.]+)'/g, (whole, other) => files.has(other) ? `'${urlOf(other)}'` : whole);
  }

  function urlOf(name) {
    if (!urls.has(name)) {
      const type = name.endsWith(".wasm") ? "application/wasm" : "text/javascript";
      const body = name === "worker.mjs" ? `(async () => {${flat(name)}})()`
        : name.endsWith(".mjs") ? moduleOf(name) : files.get(name);
      urls.set(name, URL.createObjectURL(new Blob([body], { type })));
    }
    return urls.get(name);
  }

  try {
    await unpack();
    await import(urlOf("page.mjs"));
    document.getElementById("compare").dataset.ready = "yes";
  } catch (error) {
    const problem = document.getElementById("problem");
    problem.textContent = `This browser cannot start the scorer in this page: ${error.message}`;
  }
})();

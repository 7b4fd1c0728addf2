// The functions that the WebAssembly module imports from its host: a clock, and files by name. Inputs are read piece
// by piece; files that the module writes stay in memory.

const SUCCESS = 0, BADF = 8, EXIST = 20, NOENT = 44, NOSYS = 52;
const REGULAR = 4, FOLDER = 3, CHARACTERS = 2;
const FIRST = 4; // first descriptor of a file; 0 to 2 are the standard streams, 3 is the folder of all files

/** Returns the key of a file. There is only one folder: a path with slashes is simply a long file name. */
const key = name => name.split('/').filter(part => part && part !== '.').join('/');

export class Files {
  #files = new Map();
  #open = new Map();
  #next = FIRST;

  /** Adds an input {size, read(bytes, position), modified}; read() returns the number of bytes. */
  add(name, input) {
    this.#files.set(key(name), { ...input, id: this.#files.size + 1 });
  }

  /** Adds a file in memory. */
  put(name, bytes) {
    this.#files.set(key(name), { bytes, size: bytes.length, modified: 0, id: this.#files.size + 1 });
  }

  /** Removes a file in memory and returns its bytes; undefined: there is none. */
  take(name) {
    const file = this.#files.get(key(name));
    this.#files.delete(key(name));
    return file?.bytes.subarray(0, file.size);
  }

  names(folder) {
    return [...this.#files.keys()].filter(name => name.startsWith(`${folder}/`));
  }

  read(file, bytes, position) {
    if (!file.bytes) return file.read(bytes, position);
    const part = file.bytes.subarray(position, Math.min(position + bytes.length, file.size));
    bytes.set(part);
    return part.length;
  }

  write(file, bytes, position) {
    const end = position + bytes.length;
    if (end > file.bytes.length) {
      const grown = new Uint8Array(2 * end);
      grown.set(file.bytes);
      file.bytes = grown;
    }
    file.bytes.set(bytes, position);
    file.size = Math.max(file.size, end);
    return bytes.length;
  }

  /**
   * Returns the functions that the module imports. memory() returns the module's memory; progress(frames, total) and
   * log(level, text) receive calls of the module.
   */
  imports(memory, progress, log) {
    const view = () => new DataView(memory().buffer);
    const bytesAt = (at, size) => new Uint8Array(memory().buffer, at, size);
    const textAt = (at, size) => new TextDecoder().decode(bytesAt(at, size).slice());
    const opened = fd => this.#open.get(fd);
    const each = (parts, count, use) => {
      let total = 0;
      for (let i = 0; i < count; i++) {
        const size = view().getUint32(parts + 8 * i + 4, true);
        const done = use(bytesAt(view().getUint32(parts + 8 * i, true), size), total);
        total += done;
        if (done < size) break;
      }
      return total;
    };
    const tell = (at, file) => {
      const v = view();
      for (let i = 0; i < 64; i += 8) v.setBigUint64(at + i, 0n, true);
      v.setBigUint64(at, 1n, true);
      v.setBigUint64(at + 8, BigInt(file?.id ?? 0), true);
      v.setUint8(at + 16, file ? REGULAR : FOLDER);
      v.setBigUint64(at + 24, 1n, true);
      v.setBigUint64(at + 32, BigInt(file?.size ?? 0), true);
      v.setBigUint64(at + 48, BigInt(Math.round(file?.modified ?? 0)) * 1000000n, true);
      return SUCCESS;
    };
    const number64 = (at, value) => (view().setBigUint64(at, BigInt(value), true), SUCCESS);
    const number32 = (at, value) => (view().setUint32(at, value, true), SUCCESS);
    const streams = ['', '', ''];
    const wasi = {
      environ_get: () => SUCCESS,
      environ_sizes_get: (count, bytes) => number32(count, 0) || number32(bytes, 0),
      clock_time_get: (_clock, _precision, at) => number64(at, Math.round(performance.now() * 1e6)),
      proc_exit(code) {
        throw new WebAssembly.RuntimeError(`the module ended itself with ${code}`);
      },
      fd_prestat_get: (fd, at) => (fd === FIRST - 1 ? number32(at, 0) || number32(at + 4, 1) : BADF),
      fd_prestat_dir_name: (_fd, at) => (bytesAt(at, 1).set([47]), SUCCESS),
      fd_fdstat_get(fd, at) {
        if (fd >= FIRST && !opened(fd)) return BADF;
        const v = view();
        v.setBigUint64(at, 0n, true);
        v.setUint8(at, fd >= FIRST ? REGULAR : fd === FIRST - 1 ? FOLDER : CHARACTERS);
        v.setBigUint64(at + 8, ~0n, true);
        v.setBigUint64(at + 16, ~0n, true);
        return SUCCESS;
      },
      fd_fdstat_set_flags: () => SUCCESS,
      fd_filestat_get: (fd, at) => (opened(fd) ? tell(at, opened(fd).file) : BADF),
      path_filestat_get: (_fd, _flags, name, size, at) => {
        const found = key(textAt(name, size));
        if (!this.#files.has(found) && found && !this.names(found).length) return NOENT;
        return tell(at, this.#files.get(found));
      },
      path_open: (_fd, _look, name, size, flags, _rights, _inherited, _mode, at) => {
        const found = key(textAt(name, size)), creates = flags & 1, alone = flags & 4;
        if (alone && this.#files.has(found)) return EXIST;
        if (creates && !this.#files.has(found)) this.put(found, new Uint8Array(0));
        const file = this.#files.get(found);
        if (!file) return NOENT;
        if (flags & 8 && file.bytes) file.size = 0;
        this.#open.set(this.#next, { file, position: 0 });
        return number32(at, this.#next++);
      },
      path_create_directory: () => SUCCESS,
      path_rename: (_from, name, size, _to, other, length) => {
        const file = this.#files.get(key(textAt(name, size)));
        if (!file) return NOENT;
        this.#files.delete(key(textAt(name, size)));
        this.#files.set(key(textAt(other, length)), file);
        return SUCCESS;
      },
      path_unlink_file: (_fd, name, size) => (this.#files.delete(key(textAt(name, size))) ? SUCCESS : NOENT),
      fd_close: fd => (fd < FIRST || this.#open.delete(fd) ? SUCCESS : BADF),
      fd_sync: () => SUCCESS,
      fd_read: (fd, parts, count, at) => {
        const one = opened(fd);
        if (!one) return BADF;
        const got = each(parts, count, (bytes, done) => this.read(one.file, bytes, one.position + done));
        one.position += got;
        return number32(at, got);
      },
      fd_pread: (fd, parts, count, position, at) => {
        const one = opened(fd);
        if (!one) return BADF;
        return number32(at, each(parts, count, (bytes, done) => this.read(one.file, bytes, Number(position) + done)));
      },
      fd_write: (fd, parts, count, at) => {
        const one = opened(fd);
        if (!one && fd >= FIRST) return BADF;
        const got = each(parts, count, (bytes, done) => {
          if (one) return this.write(one.file, bytes, one.position + done);
          streams[fd] += new TextDecoder().decode(bytes.slice());
          return bytes.length;
        });
        if (one) one.position += got;
        for (let end; !one && (end = streams[fd].indexOf('\n')) >= 0; streams[fd] = streams[fd].slice(end + 1))
          log(1, streams[fd].slice(0, end));
        return number32(at, got);
      },
      fd_seek: (fd, offset, whence, at) => {
        const one = opened(fd);
        if (!one) return BADF;
        one.position = Number(offset) + (whence === 1 ? one.position : whence === 2 ? one.file.size : 0);
        return number64(at, one.position);
      },
      fd_tell: (fd, at) => (opened(fd) ? number64(at, opened(fd).position) : BADF),
    };
    return {
      fovea: {
        progress: (frames, total) => Number(progress(frames, total) !== false),
        log: (level, address) => {
          const at = address >>> 0;
          const whole = new Uint8Array(memory().buffer);
          log(level, textAt(at, whole.indexOf(0, at) - at));
        },
      },
      wasi_snapshot_preview1: new Proxy(wasi, {
        // WebAssembly passes addresses above 2 GiB as negative numbers.
        get: (calls, name) => (...values) => (calls[name]
          ? calls[name](...values.map(value => (typeof value === 'number' ? value >>> 0 : value))) : NOSYS),
      }),
    };
  }
}

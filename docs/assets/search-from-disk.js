/* Browsers start no workers for pages that are opened from disk. There, run the script of the search
   in a hidden frame instead, which takes and gives messages as a worker does. */
if (location.protocol === "file:") {
  window.Worker = window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.appendChild(frame);
      const inner = (this.inner = frame.contentWindow);
      const load = (address) =>
        new Promise((resolve, reject) => {
          const script = inner.document.createElement("script");
          Object.assign(script, { src: address, onload: resolve, onerror: reject });
          inner.document.body.appendChild(script);
        });
      inner.importScripts = (...addresses) =>
        addresses.reduce((before, each) => before.then(() => load(each)), Promise.resolve());
      inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.ready = load(new URL(url, location.href).href);
    }
    postMessage(data) {
      this.ready.then(() => this.inner.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {}
  };
}

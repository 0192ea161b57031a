/** An app that never stops to talk, with messages that are large, too. */
const large = 'x'.repeat(2_000_000)
setInterval(() => {
  for (let id = 0; id < 500; id += 1) parent.postMessage({ jsonrpc: '2.0', id, method: 'ping' }, '*')
  parent.postMessage({ jsonrpc: '2.0', id: 'large', method: 'ping', params: { large } }, '*')
}, 10)

export {}

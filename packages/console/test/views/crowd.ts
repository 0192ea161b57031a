/** An app that asks for more at once than is worked on, and shows how much of it was refused at once. */
const shown = document.createElement('p')
document.body.append(shown)
let refused = 0
let ids = 0
const ask = (method: string, params: object): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const id = ++ids
    addEventListener('message', ({ data }) => {
      if (data?.id !== id || data.method !== undefined) return
      if (data.error) reject(new Error(data.error.message))
      else resolve(data.result)
    })
    parent.postMessage({ jsonrpc: '2.0', id, method, params }, '*')
  })

const appInfo = { name: 'crowd', version: '1' }
await ask('ui/initialize', { protocolVersion: '2026-01-26', appInfo, appCapabilities: {} })
parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/initialized' }, '*')
for (let pear = 0; pear < 10; pear += 1) {
  ask('tools/call', { name: 'refresh', arguments: { what: `pear ${pear}` } }).catch(() => {
    refused += 1
    shown.textContent = `${refused} refused`
  })
}

export {}

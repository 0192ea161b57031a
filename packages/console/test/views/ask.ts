/** Protocol between the apps of the tests and the page that shows them: by hand, so that they can also do it wrong. */
let ids = 0

/** Asks the page, or another window. */
export function ask(method: string, params: object, target: Window = parent): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const id = ++ids
    addEventListener('message', ({ data }) => {
      if (data?.id !== id || data.method !== undefined) return
      if (data.error) reject(new Error(data.error.message))
      else resolve(data.result)
    })
    target.postMessage({ jsonrpc: '2.0', id, method, params }, '*')
  })
}

/** Begins as every app does. */
export async function introduce(name: string): Promise<void> {
  const appInfo = { name, version: '1' }
  await ask('ui/initialize', { protocolVersion: '2026-01-26', appInfo, appCapabilities: {} })
  parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/initialized' }, '*')
}

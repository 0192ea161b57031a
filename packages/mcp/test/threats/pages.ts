/** Actions of web pages; each function runs in a page, so that it may refer to nothing outside it. */

interface Sent {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Posts, and reads what it is allowed to read. */
export async function post({ url, headers, body }: Sent) {
  try {
    const response = await fetch(url, { method: 'POST', headers, body })
    return { status: response.status, sessionId: response.headers.get('mcp-session-id'), text: await response.text() }
  } catch {
    return { status: 'failed', sessionId: null, text: '' }
  }
}

/** Ends a session. */
export async function end({ url, headers }: Omit<Sent, 'body'>) {
  return { status: (await fetch(url, { method: 'DELETE', headers })).status }
}

/** Reads what comes first on a stream. */
export async function firstEvent({ url, headers }: Omit<Sent, 'body'>): Promise<string> {
  const reader = (await fetch(url, { headers })).body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return new TextDecoder().decode(value)
}

/** Posts without asking for permission, and without seeing the answer. */
export async function postBlindly({ url, body }: Omit<Sent, 'headers'>): Promise<void> {
  for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded']) {
    await fetch(url, { method: 'POST', mode: 'no-cors', headers: { 'content-type': type }, body }).catch(() => {})
  }
}

/** Posts as pages do when they are left; JSON would have to be asked for. */
export async function beacon({ url, body }: Omit<Sent, 'headers'>): Promise<void> {
  navigator.sendBeacon(url, body)
  navigator.sendBeacon(url, new Blob([body], { type: 'text/plain' }))
  await fetch(url, { method: 'POST', mode: 'no-cors', keepalive: true, body }).catch(() => {})
}

/** Posts a form whose only field reads as the body. */
export async function submitForm({ url, body }: Omit<Sent, 'headers'>): Promise<void> {
  const frame = document.createElement('iframe')
  frame.name = 'answer'
  document.body.append(frame)
  const form = document.createElement('form')
  form.method = 'POST'
  form.action = url
  form.enctype = 'text/plain'
  form.target = 'answer'
  const field = document.createElement('input')
  field.name = `${body.slice(0, -1)},"x":"`
  field.value = '"}'
  form.append(field)
  document.body.append(form)
  const answered = new Promise((resolve) => frame.addEventListener('load', resolve))
  form.submit()
  await answered
  frame.remove()
  form.remove()
}

/** Posts from a frame that has no origin. */
export async function postFromSandbox({ url, body }: Omit<Sent, 'headers'>): Promise<void> {
  const frame = document.createElement('iframe')
  frame.sandbox.add('allow-scripts')
  const init = JSON.stringify({ method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body })
  frame.srcdoc = `<script>fetch(${JSON.stringify(url)}, ${init}).finally(() => parent.postMessage('sent', '*'))</script>`
  const sent = new Promise((resolve) => addEventListener('message', resolve, { once: true }))
  document.body.append(frame)
  await sent
  frame.remove()
}

/** Opens a stream of events. */
export function listen(url: string): Promise<string> {
  return new Promise((resolve) => {
    const source = new EventSource(url)
    const over = (outcome: string) => () => {
      source.close()
      resolve(outcome)
    }
    source.onopen = over('open')
    source.onerror = over('refused')
  })
}

/** Opens a WebSocket. */
export function openSocket(url: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, 'mcp')
    socket.onopen = () => resolve('open')
    socket.onerror = () => resolve('refused')
  })
}

import type { Fields } from '../../../../src/wire/messages.ts'
import { Courier } from './courier.ts'
import type { PostedHost } from './host.ts'
import { type Headers, headersAbout, isRequest, isSelfContained, letterOf, postHeaders, signed } from './letter.ts'
import type { OpenWire, WireOptions } from './open-wire.ts'

const sessionHeader = 'mcp-session-id'

/** Posts each text within the session that the last handshake opened, and listens to what belongs to no request. */
export function sessionWire(host: PostedHost, { revision, principal }: WireOptions): OpenWire {
  const courier = new Courier()
  const sessions: Headers[] = []

  async function say(text: string): Promise<void> {
    const letter = letterOf(text)
    if (letter.method === 'initialize') return open(text)
    const posted = host.posted()
    const about = isSelfContained(letter) ? headersAbout(letter, revision) : sessions.at(-1)
    const headers = { ...postHeaders(principal), ...about }
    const whenRead = courier.read(courier.send(host.url, { headers, body: text }))
    await posted
    if (isRequest(letter)) return
    await whenRead
    if (letter.method === 'notifications/initialized') await listen()
  }

  async function open(text: string): Promise<void> {
    const response = await courier.send(host.url, { headers: postHeaders(principal), body: text })
    const answer = await response.text()
    const { result } = JSON.parse(answer) as { readonly result?: Fields }
    if (result) sessions.push(sessionOf(response, String(result.protocolVersion)))
    courier.hear(answer)
  }

  async function listen(): Promise<void> {
    const headers = { accept: 'text/event-stream', ...signed(principal), ...sessions.at(-1) }
    void courier.read(await courier.send(host.url, { method: 'GET', headers }))
  }

  return {
    listen: (listener) => courier.listen(listener),
    toldAll: async () => host.toldAll?.(),
    send: (text) => courier.next(() => say(text)),
    async close() {
      await courier.leave()
      const leaving = sessions.map((session) => ({ method: 'DELETE', headers: { ...signed(principal), ...session } }))
      await Promise.all(leaving.map((init) => fetch(host.url, init)))
    },
  }
}

function sessionOf({ headers }: Response, version: string): Headers {
  const session = { [sessionHeader]: headers.get(sessionHeader) ?? '' }
  return version === '2025-03-26' ? session : { ...session, 'mcp-protocol-version': version }
}

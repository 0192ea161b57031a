import { Courier } from './courier.ts'
import type { PostedHost } from './host.ts'
import { headersAbout, isRequest, type Letter, letterOf, postHeaders } from './letter.ts'
import type { OpenWire, WireOptions } from './open-wire.ts'

interface Asked {
  readonly controller: AbortController
  readonly whenOver: Promise<unknown>
}

/** Posts each text for itself; a request that is open is cancelled by letting go of its response. */
export function statelessWire(host: PostedHost, { revision, principal }: WireOptions): OpenWire {
  const courier = new Courier()
  const asked = new Map<unknown, Asked>()

  async function say(text: string): Promise<void> {
    const letter = letterOf(text)
    const cancelled = letter.method === 'notifications/cancelled' ? asked.get(letter.params?.requestId) : undefined
    if (!cancelled) return post(text, letter)
    cancelled.controller.abort()
    await cancelled.whenOver
  }

  async function post(text: string, letter: Letter): Promise<void> {
    const headers = { ...postHeaders(principal), ...headersAbout(letter, revision) }
    const controller = new AbortController()
    const { signal } = controller
    const posted = host.posted()
    const whenRead = courier.read(courier.send(host.url, { headers, body: text, signal }), signal)
    const { whenOver } = await posted
    if (!isRequest(letter)) return whenRead
    asked.set(letter.id, { controller, whenOver })
    void whenRead.then(() => asked.delete(letter.id))
  }

  return {
    listen: (listener) => courier.listen(listener),
    toldAll: async () => host.toldAll?.(),
    send: (text) => courier.next(() => say(text)),
    close: () => courier.leave(),
  }
}

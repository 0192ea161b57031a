import { gate } from '../../../gate.ts'
import { Courier } from './courier.ts'
import type { PostedHost } from './host.ts'
import { headersAbout, isSelfContained, letterOf, postHeaders, signed } from './letter.ts'
import type { OpenWire, WireOptions } from './open-wire.ts'

/** Listens on one stream, and posts each text to the address that is named there. */
export function sseWire(host: PostedHost, { revision, principal }: WireOptions): OpenWire {
  const courier = new Courier()
  const address = gate<string>()

  async function open(): Promise<void> {
    const headers = { accept: 'text/event-stream', ...signed(principal) }
    const response = await courier.send(new URL('/sse', host.url), { method: 'GET', headers })
    void courier.readEvents(response, ({ type, data }) => {
      if (type === 'endpoint') address.open(data)
      else courier.hear(data)
    })
    await address.promise
  }

  async function post(text: string): Promise<void> {
    const url = new URL(await address.promise, host.url)
    const letter = letterOf(text)
    const about = isSelfContained(letter) ? headersAbout(letter, revision) : {}
    await courier.read(courier.send(url, { headers: { ...postHeaders(principal), ...about }, body: text }))
  }

  courier.next(open)
  return {
    listen: (listener) => courier.listen(listener),
    toldAll: async () => host.toldAll?.(),
    send: (text) => courier.next(() => post(text)),
    close: () => courier.leave(),
  }
}

import { type Dial, type Message, tapChannel } from '@trunkline/mcp/client'

/** Direction of a message, as seen from here. */
export type WireDirection = 'sent' | 'received'

/** Sees every message of a connection, in order. */
export type WireListener = (direction: WireDirection, message: Message) => void

/** A dial whose channels show what passes through them. */
export function tapped(dial: Dial, listener: WireListener): Dial {
  return async () =>
    tapChannel(await dial(), {
      isOn: () => true,
      sent: (message) => listener('sent', message),
      received(message, _sender, next) {
        listener('received', message)
        next()
      },
    })
}

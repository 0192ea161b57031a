import type { Channel, Dial, Message } from '@trunkline/mcp/client'

/** Which way a message went, as seen from here. */
export type WireDirection = 'sent' | 'received'

/** Sees every message of a connection, in order. */
export type WireListener = (direction: WireDirection, message: Message) => void

/** A dial whose channels show what passes through them. */
export function tapped(dial: Dial, listener: WireListener): Dial {
  return async () => tapChannel(await dial(), listener)
}

function tapChannel(channel: Channel, listener: WireListener): Channel {
  const see = (direction: WireDirection, messages: Message | readonly Message[]): void => {
    for (const message of Array.isArray(messages) ? messages : [messages]) listener(direction, message)
  }
  const tap: Channel = {
    open: (receiver) =>
      channel.open({
        message(message, sender) {
          see('received', message)
          receiver.message(message, sender)
        },
        malformed: (error, id) => receiver.malformed(error, id),
        failed: (id, reason) => receiver.failed(id, reason),
        ended: () => receiver.ended(),
        closed: (reason) => receiver.closed(reason),
      }),
    send(message, options) {
      see('sent', message)
      return channel.send(message, options)
    },
    close: () => channel.close(),
    get isHeld() {
      return channel.isHeld ?? false
    },
    get strayOutput() {
      return channel.strayOutput ?? ''
    },
  }
  // each is there only where the channel has it, which means something
  if (channel.abandon) tap.abandon = (id, reason) => channel.abandon?.(id, reason)
  if (channel.unanswered) tap.unanswered = (id) => channel.unanswered?.(id)
  if (channel.release) tap.release = (id) => channel.release?.(id)
  return tap
}

import type { Message } from '../wire/messages.ts'
import type { Channel, Sender, SendOptions } from './channel.ts'

/** Sees what passes through a channel. */
export interface ChannelTap {
  /** True if anything has to be seen at the moment. */
  isOn(message: Message | readonly Message[], direction: 'sent' | 'received'): boolean
  sent(message: Message, options: SendOptions | undefined): void
  /** Sees a message, and passes it on with `next`. */
  received(message: Message, sender: Sender | undefined, next: () => void): void
  /** Sees that something arrived that is not a message. */
  malformed?(): void
}

/** A channel that shows what passes through it. */
export function tapChannel(channel: Channel, tap: ChannelTap): Channel {
  const tapped: Channel = {
    open: (receiver) =>
      channel.open({
        message(message, sender) {
          if (!tap.isOn(message, 'received')) return receiver.message(message, sender)
          if (!Array.isArray(message)) {
            return tap.received(message as Message, sender, () => receiver.message(message, sender))
          }
          for (const one of message.slice(0, -1)) tap.received(one, sender, () => {})
          tap.received(message.at(-1), sender, () => receiver.message(message, sender))
        },
        malformed(error, id) {
          tap.malformed?.()
          receiver.malformed(error, id)
        },
        failed: (id, reason) => receiver.failed(id, reason),
        ended: () => receiver.ended(),
        closed: (reason) => receiver.closed(reason),
      }),
    send(message, options) {
      if (tap.isOn(message, 'sent')) for (const one of [message].flat() as Message[]) tap.sent(one, options)
      return channel.send(message, options)
    },
    close: () => channel.close(),
    get isHeld() {
      return channel.isHeld ?? false
    },
    needsHandshake: channel.needsHandshake ?? false,
    get strayOutput() {
      return channel.strayOutput ?? ''
    },
  }
  // each is there only where the channel has it, which means something
  if (channel.abandon) tapped.abandon = (id, reason) => channel.abandon?.(id, reason)
  if (channel.unanswered) tapped.unanswered = (id) => channel.unanswered?.(id)
  if (channel.nextId) tapped.nextId = () => channel.nextId?.() ?? ''
  if (channel.release) tapped.release = (id) => channel.release?.(id)
  if (channel.pause) tapped.pause = channel.pause.bind(channel)
  return tapped
}

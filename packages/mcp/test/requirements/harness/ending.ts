import type { Channel } from '../../../src/index.ts'

/** A channel whose end is the end of something else as well. */
export function endingWith(channel: Channel, end: () => PromiseLike<void>): Channel {
  const abandon = channel.abandon?.bind(channel)
  return {
    open: (receiver) => channel.open(receiver),
    send: (message, options) => channel.send(message, options),
    close: async () => {
      await channel.close()
      await end()
    },
    ...(abandon && { abandon }),
  }
}

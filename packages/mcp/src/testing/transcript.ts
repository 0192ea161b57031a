import type { Channel, Receiver } from '../rpc/channel.ts'
import type { Message } from '../wire/messages.ts'

/** One message of a transcript, and who sent it. */
export interface TranscriptLine {
  readonly from: 'client' | 'server'
  readonly message: Message | readonly Message[]
}

/** The messages between a client and a server, in the order in which the client saw them. */
export class Transcript {
  readonly lines: TranscriptLine[] = []

  /** Records a channel of the client. */
  record(channel: Channel): Channel {
    const { lines } = this
    const abandon = channel.abandon?.bind(channel)
    return {
      open(receiver: Receiver) {
        channel.open({
          message(message, origin) {
            lines.push({ from: 'server', message })
            receiver.message(message, origin)
          },
          malformed: (error, id) => receiver.malformed(error, id),
          failed: (id, reason) => receiver.failed(id, reason),
          ended: () => receiver.ended(),
          closed: (reason) => receiver.closed(reason),
        })
      },
      send(message, options) {
        lines.push({ from: 'client', message })
        return channel.send(message, options)
      },
      close: () => channel.close(),
      ...(abandon && { abandon }),
    }
  }

  /** One line for each message: `→` from the client, `←` from the server. */
  toString(): string {
    return this.lines
      .map(({ from, message }) => `${from === 'client' ? '→' : '←'} ${JSON.stringify(message)}\n`)
      .join('')
  }
}

import type { Id, Message } from '../wire/messages.ts'
import type { Channel, Labels } from './channel.ts'

/** The channel and options of a message. */
export interface SendParts {
  readonly droppable?: boolean | undefined
  readonly relatedTo?: Id | undefined
  readonly labels?: Labels | undefined
  readonly name?: string | undefined
  readonly change?: number | undefined
}

/** Sends on a channel; a channel that throws, as for params that are not JSON, is a rejection. */
export function sendOn(
  channel: Channel,
  message: Message | readonly Message[],
  { relatedTo, labels, name, droppable, change }: SendParts = {},
): Promise<void> | undefined {
  try {
    if (change !== undefined) return channel.send(message, { change })
    if (relatedTo === undefined && labels === undefined && name === undefined) return channel.send(message)
    return channel.send(message, { ...(relatedTo !== undefined && { relatedTo }), labels, name, droppable })
  } catch (error) {
    return Promise.reject(error)
  }
}

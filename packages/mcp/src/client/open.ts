import { dialectsFor } from '../dialects/dialects.ts'
import { Client, type ServerTypes } from './client.ts'
import { ClientLink } from './link.ts'
import { type Dial, type KnownOpening, negotiate } from './negotiate.ts'
import { knownOpeningOf } from './opening-cache.ts'
import { type ClientOptions, clientDefaults } from './options.ts'
import { selfOf } from './self.ts'

/** Opens a conversation with whatever is at the other end of the channel that `dial` opens. */
export async function open<Types extends ServerTypes = ServerTypes>(
  dial: Dial,
  options: ClientOptions = {},
  verdict: KnownOpening = knownOpeningOf(undefined),
): Promise<Client<Types>> {
  const limits = { ...clientDefaults.limits, ...options.limits }
  const self = selfOf(options, limits)
  const dialects = dialectsFor(options.revisions)
  // a client that can greet in one way only neither learns what the server would rather hear nor could heed it
  const hasChoice = new Set(dialects.map(({ opening }) => opening)).size > 1
  const agreement = await negotiate(dial, {
    self,
    dialects,
    probeMs: options.probeMs ?? clientDefaults.probeMs,
    knownOpening: hasChoice ? verdict : knownOpeningOf(undefined),
    makeLink: (channel) => new ClientLink(channel, { answer: self.answer, warning: self.warn }),
  })
  const client = new Client<Types>({ ...agreement, self, options, limits })
  const level = self.logLevel()
  if (level !== undefined) await client.setLogLevel(level)
  return client
}

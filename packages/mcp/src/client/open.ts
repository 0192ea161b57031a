import { dialectsFor } from '../dialects/select-dialect.ts'
import type { ServerTypes } from '../model/server-types.ts'
import type { Channel } from '../rpc/channel.ts'
import { resolveLimits } from '../wire/resolve-limits.ts'
import { Client } from './client.ts'
import { clientLimits } from './client-limits.ts'
import { type ClientOptions, clientDefaults } from './client-options.ts'
import { clientSelf } from './client-self.ts'
import { ConnectDeadline } from './connect-deadline.ts'
import type { Dial } from './dial.ts'
import type { Added, ClientAddsOf, ClientExtension } from './extension.ts'
import { ClientLink } from './link.ts'
import { type KnownOpening, negotiate } from './negotiate.ts'
import { knownOpeningOf } from './opening-cache.ts'

/** A client, with the members of its extensions. */
export type Connection<Types extends ServerTypes, On extends readonly ClientExtension[]> = Client<
  Types,
  ClientAddsOf<On>
> &
  Added<ClientAddsOf<On>, Types, 'client'>

/** Opens a client over the channel that `dial` opens. */
export function open<
  Types extends ServerTypes = ServerTypes,
  const On extends readonly ClientExtension[] = readonly ClientExtension[],
>(dial: Dial, options: ClientOptions & { readonly extensions?: On } = {}): Promise<Connection<Types, On>> {
  return openAs<Types, On>(dial, options, knownOpeningOf(undefined))
}

/** Opens a client, starting with the opening that is known to work. */
export async function openAs<Types extends ServerTypes, const On extends readonly ClientExtension[]>(
  dial: Dial,
  options: ClientOptions & { readonly extensions?: On },
  verdict: KnownOpening,
): Promise<Connection<Types, On>> {
  const limits = resolveLimits(clientLimits, options.limits)
  const self = clientSelf(options, limits)
  const dialects = dialectsFor(options.revisions, options.extensions)
  // a client with one opening only has nothing to remember
  const hasChoice = new Set(dialects.map(({ opening }) => opening)).size > 1
  const makeLink = (channel: Channel): ClientLink =>
    new ClientLink(channel, { answer: self.answer, warning: self.warn }, limits)
  const deadline = new ConnectDeadline({ ...options, makeLink })
  return deadline.run(async () => {
    const agreement = await negotiate(dial, {
      self,
      dialects,
      probeMs: options.probeMs ?? clientDefaults.probeMs,
      knownOpening: hasChoice ? verdict : knownOpeningOf(undefined),
      deadline,
    })
    const client = new Client<Types, ClientAddsOf<On>>({ ...agreement, self, options, limits })
    const level = self.logLevel()
    if (level !== undefined) await client.setLogLevel(level)
    return client as Connection<Types, On>
  })
}

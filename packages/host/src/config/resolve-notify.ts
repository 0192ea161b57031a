import type { EffectiveConfig } from './effective.ts'
import { describeMissing, interpolate } from './interpolate.ts'
import { placeOf } from './place-of-setting.ts'
import type { ConfigProblem } from './problem.ts'
import { lookupFor } from './reference-lookup.ts'
import type { ServerContext } from './resolve-server.ts'
import { usualValue } from './schema/settings.ts'

/** Settings of notifications, with every reference replaced. */
export interface ConfiguredNotify {
  readonly desktop: boolean
  readonly webhook: string | undefined
  readonly problems: readonly ConfigProblem[]
}

/** Replaces the references of `notify`; an unusable webhook is left out, with a problem that says what to write. */
export async function resolveNotify(
  config: Pick<EffectiveConfig, 'settings' | 'explain'>,
  context: ServerContext,
): Promise<ConfiguredNotify> {
  const { desktop = usualValue(['notify', 'desktop']) === true, webhook: written } = config.settings.notify ?? {}
  if (written === undefined) return { desktop, webhook: undefined, problems: [] }
  const { text, missing } = interpolate(written, await lookupFor(written, context))
  const wrong = missing.map(describeMissing)[0] ?? wrongAddress(text)
  if (wrong === undefined) return { desktop, webhook: text, problems: [] }
  const fix = 'write an address that begins with https://, or "secret:NAME" where it is kept as a secret'
  const place = placeOf(config, ['notify', 'webhook'])
  const problem = `cannot be told: ${wrong}`
  return { desktop, webhook: undefined, problems: [{ ...place, key: 'notify.webhook', problem, fix }] }
}

/** The address itself is not shown, as it may be a secret. */
function wrongAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return 'this is no address'
  const { protocol, hostname, username } = new URL(text)
  if (username !== '') return 'a name in front of the host is not sent'
  if (protocol === 'https:') return undefined
  const isHere = hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)
  if (protocol === 'http:' && isHere) return undefined
  return 'others could read along'
}

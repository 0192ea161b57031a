import type { Network } from '../shared/network.ts'
import type { Outbound } from '../shared/platform.ts'

/** A network of which is known what secrets went over it, in every form that a server could repeat them in. */
export function recordingSecrets(network: Network): { readonly network: Network; readonly secrets: readonly string[] } {
  const secrets: string[] = []
  return {
    secrets,
    network: {
      ...network,
      fetch(outbound) {
        secrets.push(...secretsIn(outbound).flatMap(formsOf))
        return network.fetch(outbound)
      },
    },
  }
}

const harmless: ReadonlySet<string> = new Set(['client_id', 'resource', 'scope', 'audience', 'redirect_uri'])

function secretsIn({ headers: { authorization = '' }, body }: Outbound): readonly string[] {
  const posted = [...new URLSearchParams(body)].filter(([name]) => !harmless.has(name) && !name.endsWith('_type'))
  const [scheme, shown = ''] = authorization.split(' ')
  const [, password = ''] = scheme === 'Basic' ? atob(shown).split(':') : []
  const decoded = new URLSearchParams(`=${password}`).get('') ?? ''
  return [...posted.map(([, value]) => value), shown, decoded].filter((secret) => secret !== '')
}

function formsOf(secret: string): readonly string[] {
  return [secret, encodeURIComponent(secret), new URLSearchParams([['', secret]]).toString().slice(1)]
}

import { callHost } from './call.ts'
import { keepSecret } from './secret.ts'

/** The one-time code in the address, which is taken out of it at once. */
export function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code === null) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return code
}

/** Trades a code for the secret of this page. */
export async function signIn(code: string): Promise<void> {
  const { secret } = await callHost('session', { code })
  keepSecret(secret)
}

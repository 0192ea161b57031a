import { readFileSync } from 'node:fs'

/** The version of this command. */
export function ownVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return (manifest as { readonly version: string }).version
}

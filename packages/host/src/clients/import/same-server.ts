import { canonicalJson } from '@trunkline/mcp'
import type { ServerEntry } from '../../config/schema/server-entry.ts'

/** Identity of an entry: everything that determines what is started or reached, and nothing else. */
export function identityOf({
  command,
  args = [],
  env = {},
  envFile,
  cwd,
  url,
  headers = {},
  type,
}: ServerEntry): string {
  if (url !== undefined) {
    const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    return canonicalJson({ url: url.replace(/\/+$/, ''), headers: Object.fromEntries(names), sse: type === 'sse' })
  }
  // an answer given beforehand to a question of the package runner makes no other server
  const words = /^(?:.*[\\/])?npx(?:\.cmd)?$/.test(command ?? '')
    ? args.filter((word) => word !== '-y' && word !== '--yes')
    : args
  return canonicalJson({ command: command ?? '', args: words, env, envFile: envFile ?? '', cwd: cwd ?? '' })
}

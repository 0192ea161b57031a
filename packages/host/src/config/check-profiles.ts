import { keyOf, type Path } from './document/document.ts'
import type { EffectiveConfig } from './effective.ts'
import { placeOf } from './place-of-setting.ts'
import type { ConfigProblem } from './problem.ts'

/** Names that can stand behind `/mcp/profile/` in an address. */
const addressable = /^[\w-]+$/

/** Problems of profiles that would offer less than they say: names that no address has, and servers that do not exist. */
export function profileProblems(
  config: Pick<EffectiveConfig, 'settings' | 'explain'>,
  servers: ReadonlySet<string>,
): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = []
  const report = (path: Path, problem: string, fix: string): void => {
    problems.push({ ...placeOf(config, path), key: keyOf(path), problem, fix })
  }
  const missing = (path: Path, name: string): void => {
    if (servers.has(name)) return
    const names = [...servers].map((one) => `"${one}"`)
    const fix = names.length === 0 ? 'configure it below "mcpServers"' : `write ${names.join(' or ')}`
    report(path, `names no server: "${name}"`, fix)
  }
  for (const [name, profile] of Object.entries(config.settings.profiles ?? {})) {
    const at = ['profiles', name]
    if (!addressable.test(name)) report(at, 'has no address', 'name it with letters, digits, "_" and "-" alone')
    for (const [index, server] of (profile.servers ?? []).entries()) missing([...at, 'servers', index], server)
    for (const [index, pattern] of (profile.tools ?? []).entries()) {
      const [server = ''] = pattern.split(':')
      if (!server.includes('*')) missing([...at, 'tools', index], server)
    }
  }
  return problems
}

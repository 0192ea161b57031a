import type { ClientFinding } from './client-finding.ts'

/** Findings about a server for one client. */
export interface CheckedClient {
  readonly client: string
  readonly title: string
  readonly findings: readonly ClientFinding[]
}

/** The same, said once: what holds for every client apart, and tools with the same trouble together. */
export function summarise(clients: readonly CheckedClient[]): readonly CheckedClient[] {
  const [first, ...others] = clients.map((client) => ({ ...client, findings: joined(client.findings) }))
  if (first === undefined || others.length === 0) return first === undefined ? [] : [first]
  const isShared = (finding: ClientFinding): boolean =>
    others.every(({ findings }) =>
      findings.some((other) => keyOf(other) === keyOf(finding) && other.tool === finding.tool),
    )
  const shared = first.findings.filter(isShared)
  const told = new Set(shared.map((finding) => `${finding.tool} ${keyOf(finding)}`))
  const apart = [first, ...others].map(({ findings, ...client }) => ({
    ...client,
    findings: findings.filter((finding) => !told.has(`${finding.tool} ${keyOf(finding)}`)),
  }))
  return shared.length === 0 ? apart : [{ client: '', title: 'Every client', findings: shared }, ...apart]
}

function keyOf({ level, problem }: ClientFinding): string {
  return `${level} ${problem}`
}

/** Tools with the same trouble as one finding. */
function joined(findings: readonly ClientFinding[]): readonly ClientFinding[] {
  const groups = new Map<string, ClientFinding[]>()
  for (const finding of findings) groups.set(keyOf(finding), [...(groups.get(keyOf(finding)) ?? []), finding])
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined || group.length === 1) return group
    const names = group.flatMap(({ tool }) => tool ?? [])
    const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
    return [{ ...first, tool: `${names.slice(0, 3).join(', ')}${more}` }]
  })
}

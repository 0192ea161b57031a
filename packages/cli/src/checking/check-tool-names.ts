import type { KnownClient } from '@trunkline/host'
import type { CheckedServer, ClientFinding } from './client-finding.ts'

/** Names that a client refuses, or shortens and so perhaps makes alike. */
export function checkToolNames({ name: server, tools }: CheckedServer, client: KnownClient): readonly ClientFinding[] {
  const prefix = (client.toolPrefix?.value ?? '').replaceAll('{server}', server)
  const most = client.maxNameLength?.value ?? Number.POSITIVE_INFINITY
  return tools.flatMap(({ name }): readonly ClientFinding[] => {
    const full = `${prefix}${name}`
    // where no prefix is known, the server's name may well be part of it
    const length = client.toolPrefix === undefined && client.id === 'cursor' ? server.length + name.length : full.length
    const unusual: readonly ClientFinding[] = /^[A-Za-z0-9_-]+$/.test(name)
      ? []
      : [
          {
            level: 'cut',
            about: 'name',
            tool: name,
            problem: 'models take letters, digits, "_" and "-" in names; others are replaced',
            fix: `call it ${name.replace(/[^A-Za-z0-9_-]+/g, '_')}`,
          },
        ]
    if (length <= most) return unusual
    const said = client.id === 'gemini-cli' ? 'loses its middle' : 'is refused'
    const problem = `its name ${said}: ${length} characters with the server's, and ${most} are the most`
    const fix = `take away ${length - most} characters, of the tool's name or of the server's`
    const level = client.id === 'gemini-cli' ? 'cut' : 'refused'
    return [...unusual, { level, about: 'name', tool: name, problem, fix, ...sourceOf(client.maxNameLength) }]
  })
}

/** Where a fact was read. */
export function sourceOf(fact: { readonly source: string } | undefined): { readonly source?: string } {
  return fact === undefined ? {} : { source: fact.source }
}

import type { ClientId, KnownClient } from '@trunkline/host/config'
import type { CheckedServer, ClientFinding } from './client-finding.ts'

/** Clients that shorten a name instead of refusing it, and the part that goes. */
const shortened: { readonly [Id in ClientId]?: string } = { 'gemini-cli': 'middle', zed: 'end', cline: 'end' }

/** Names that a client refuses, or shortens and so perhaps makes alike. */
export function checkToolNames({ name: server, tools }: CheckedServer, client: KnownClient): readonly ClientFinding[] {
  const prefix = (client.toolPrefix?.value ?? '').replaceAll('{server}', server)
  const most = client.maxNameLength?.value ?? Number.POSITIVE_INFINITY
  return tools.flatMap(({ name }): readonly ClientFinding[] => {
    const full = `${prefix}${name}`
    // without a known prefix, the server's name may well be part of it
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
    const lost = shortened[client.id]
    const said = lost === undefined ? 'is refused' : `loses its ${lost}`
    const problem = `its name ${said}: ${length} characters with the server's, and ${most} are the most`
    const fix = `take away ${length - most} characters, of the tool's name or of the server's`
    const level = lost === undefined ? 'refused' : 'cut'
    return [...unusual, { level, about: 'name', tool: name, problem, fix, ...sourceOf(client.maxNameLength) }]
  })
}

/** The `source` member of a finding, from a fact about a client. */
export function sourceOf(fact: { readonly source: string } | undefined): { readonly source?: string } {
  return fact === undefined ? {} : { source: fact.source }
}

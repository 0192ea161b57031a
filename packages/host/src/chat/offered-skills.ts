import { type Client, type Fields, RpcError } from '@trunkline/mcp'
import { MethodNotFound } from '@trunkline/mcp/client'
import type { SkillEntry } from '@trunkline/mcp/skills'

/** A skill that a model may read; it is known by its server and its address together. */
export interface OfferedSkill {
  /** Label of the server, as the host knows it. */
  readonly server: string
  /** Address of its `SKILL.md`. */
  readonly uri: string
  readonly name: string
  readonly description: string
  /** Paths of its files with their addresses, or `dynamic` when they are not known beforehand. */
  readonly files: ReadonlyMap<string, string> | 'dynamic'
}

/** Content of a file of a skill; with `_meta` when it waits for a person. */
export interface SkillContent {
  readonly content: readonly Fields[]
  readonly isError?: boolean
  readonly _meta?: Fields
}

/** Source of the skills of a conversation. */
export interface ChatSkills {
  /** Lists them; asked for with every message of the person. */
  list(signal: AbortSignal): Promise<readonly OfferedSkill[]>
  /** Reads a file by its address. */
  read(uri: string, signal: AbortSignal): Promise<SkillContent>
}

/** Skills behind the gateway, which tells the label of each server and judges every read. */
export function gatewaySkills(client: Pick<Client, 'request'>): ChatSkills {
  return {
    async list(signal) {
      try {
        const { skills } = await client.request('skills/list', {}, { signal })
        return (skills as readonly ListedSkill[]).map(offered)
      } catch (error) {
        if (error instanceof RpcError && error.code === MethodNotFound) return []
        throw error
      }
    },
    async read(uri, signal) {
      try {
        const { contents } = await client.request('resources/read', { uri }, { signal })
        return { content: (contents as readonly Fields[]).map(blockOf) }
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        return { content: [{ type: 'text', text: error.message }], isError: true, _meta: (error.data ?? {}) as Fields }
      }
    },
  }
}

type ListedSkill = SkillEntry & { readonly _meta?: Fields }

function offered({ uri, frontmatter: { name, description }, resources, _meta }: ListedSkill): OfferedSkill {
  const root = uri.slice(0, uri.lastIndexOf('/') + 1)
  const paths = (files: Exclude<typeof resources, 'dynamic'>) =>
    new Map(files.map((file) => [decodeURIComponent(file.uri.slice(root.length)), file.uri]))
  const files = resources === 'dynamic' ? resources : paths(resources)
  return { server: String(_meta?.['dev.trunkline/server']), uri, name, description, files }
}

function blockOf(content: Fields): Fields {
  const { text } = content
  return typeof text === 'string' ? { type: 'text', text } : { type: 'resource', resource: content }
}

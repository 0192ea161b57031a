import type { RequestOptions } from '../../../client/client-request.ts'
import type { ClientHost, ClientPart, ConnectedPart } from '../../../client/extension.ts'
import { Pages } from '../../../client/pagination.ts'
import { McpError } from '../../../wire/errors.ts'
import { type Fields, isObject } from '../../../wire/messages.ts'
import { resolveKnownLimits } from '../../../wire/resolve-limits.ts'
import { assertSkillEntry } from '../check-entry.ts'
import { type SkillEntry, skillsId } from '../skill-entry.ts'
import { type SkillLimits, skillLimits } from '../skill-limits.ts'
import type { ClientSkillOptions, LoadSkillOptions } from './client-skill-options.ts'
import { LoadedSkill } from './loaded-skill.ts'

/** The skills of a server. Nothing of them is fetched before it is asked for. */
export interface ClientSkills {
  /** True if the server says that it serves skills. */
  readonly offered: boolean
  /** The entries that the server lists, page by page; it may serve more skills than it lists. */
  list(options?: RequestOptions): Pages<SkillEntry>
  /** The entry of one skill as it is now, listed or not. */
  get(uri: string, options?: RequestOptions): Promise<SkillEntry>
  /** Loads a skill by its entry, or by the address of its `SKILL.md`: its instructions are read and verified, its other files are not. */
  load(skill: SkillEntry | string, options?: LoadSkillOptions): Promise<LoadedSkill>
}

/** Loads skills on a client. */
export function skillClient(options: ClientSkillOptions): ClientPart {
  const limits = resolveKnownLimits(skillLimits, options.limits)
  return { connected: (host) => ({ client: { skills: skillsOf(host, limits) } }) satisfies ConnectedPart }
}

function skillsOf(host: ClientHost, limits: Required<SkillLimits>): ClientSkills {
  const offered = isObject(host.capabilities.extensions) && skillsId in host.capabilities.extensions
  const request = async (method: string, params: Fields, more?: RequestOptions): Promise<Fields> => {
    if (offered) return host.request(method, params, more)
    throw new McpError('Unsupported', 'Cannot use skills: the server does not offer them', { outcome: 'NotSent' })
  }
  const get: ClientSkills['get'] = async (uri, more) => {
    const { skill } = await request('skills/get', { uri }, more)
    assertSkillEntry(skill, limits)
    if (skill.uri !== uri)
      throw new McpError('InvalidResponse', `Cannot get skill "${uri}": the server answered with "${skill.uri}"`)
    return skill
  }
  return {
    offered,
    list(more) {
      const fetch = async (cursor: string | undefined): Promise<Fields> => {
        const page = await request('skills/list', cursor === undefined ? {} : { cursor }, more)
        return { ...page, skills: (page.skills as readonly unknown[]).filter((entry) => isUsable(entry, limits, host)) }
      }
      return new Pages<SkillEntry>('skills', fetch, host.limits)
    },
    get,
    async load(skill, { allowDynamic = false, ...more } = {}) {
      const entry = typeof skill === 'string' ? await get(skill, more) : skill
      assertSkillEntry(entry, limits)
      if (entry.resources === 'dynamic' && !allowDynamic) throw unverifiable(entry.uri)
      const read = (uri: string) => host.request('resources/read', { uri }, { fresh: true, ...more })
      return LoadedSkill.load(entry, { read, limits })
    },
  }
}

/** Leaves out an entry that cannot be used, and says why. */
function isUsable(entry: unknown, limits: Required<SkillLimits>, { warn }: ClientHost): boolean {
  try {
    assertSkillEntry(entry, limits)
    return true
  } catch (error) {
    warn((error as Error).message)
    return false
  }
}

function unverifiable(uri: string): McpError {
  return new McpError(
    'Unsupported',
    `Cannot load skill "${uri}": its files are dynamic, so they cannot be verified; allow it with { allowDynamic: true }`,
  )
}

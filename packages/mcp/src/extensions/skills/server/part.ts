import { openSkillFolder } from '#skills'
import type { ServerHandler, ServerRequest } from '../../../dialects/dialect.ts'
import type { Resource } from '../../../model/types.ts'
import type { ServerHost, ServerPart } from '../../../server/extension.ts'
import { base64 } from '../../../wire/base64.ts'
import { InvalidParams, ResourceNotFound, RpcError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import { resolveKnownLimits } from '../../../wire/resolve-limits.ts'
import type { SkillEntry } from '../skill-entry.ts'
import { skillLimits } from '../skill-limits.ts'
import { skillRoot } from '../skill-uri.ts'
import { utf8Text } from '../utf8.ts'
import type { ServerSkillOptions } from './server-skill-options.ts'
import type { SkillCatalogue, SkillSource } from './skill-source.ts'

/** Every address that a file of a skill may have. */
const skillTemplate = 'skill://{+path}'

/** The server part of a directory of skills: its methods, and a resource for each file, which every caller can read. */
export function skillServer(host: ServerHost, folder: string | URL, options: ServerSkillOptions): ServerPart {
  const { watch = true, limits } = options
  const source = openSkillFolder(folder, {
    limits: resolveKnownLimits(skillLimits, limits),
    watch,
    warn: host.warn,
    changed: (before, after) => announce(host, before, after, list.invalidate.bind(list)),
  })
  const list = host.list<SkillEntry>({
    member: 'skills',
    items: async () => (await source.catalogue()).skills,
    keyOf: ({ uri }) => uri,
    restricted: () => false,
  })
  offerFiles(host, source)
  return {
    settings: { directoryRead: true },
    serve: {
      'skills/list': list.serve,
      'skills/get': getSkill(host, source),
      'resources/directory/read': readDirectory(host, source),
    },
    start: () => source.start(),
    close: async () => source.close(),
  }
}

/** The files are resources like any other; of those, each `SKILL.md` is listed. */
function offerFiles({ offers }: ServerHost, source: SkillSource): void {
  const definition = {
    name: 'skills',
    description: 'The files of the skills that this server serves',
    list: async () => listedOf(await source.catalogue()),
  }
  offers.template(skillTemplate, definition, async (_, { uri }) => {
    const read = await source.read(uri)
    if (!read) throw new RpcError(ResourceNotFound, `Cannot read "${uri}": no such resource`, { uri })
    const { mimeType } = read.file
    const text = utf8Text(read.bytes)
    return text === undefined ? { uri, mimeType, blob: base64(read.bytes) } : { uri, mimeType, text }
  })
}

function getSkill({ cache }: ServerHost, source: SkillSource): ServerHandler {
  return async ({ params }) => {
    const uri = params.uri as string
    const skill = (await source.catalogue()).skills.find((entry) => entry.uri === uri)
    if (!skill) throw new RpcError(InvalidParams, `Cannot get skill "${uri}": no skill is served there`, { uri })
    return { skill, ttlMs: cache.ttlMs, cacheScope: cache.scope }
  }
}

function readDirectory(host: ServerHost, source: SkillSource): ServerHandler {
  return async (request: ServerRequest): Promise<Fields> => {
    const uri = request.params.uri as string
    const { folders, files } = await source.catalogue()
    const children = folders.get(uri)
    if (!children) {
      const problem = files.has(uri) ? 'it is a file' : 'no such directory'
      throw new RpcError(InvalidParams, `Cannot read directory "${uri}": ${problem}`, { uri })
    }
    const page = host.list<Resource>({
      member: 'resources',
      items: () => children,
      keyOf: (child) => child.uri,
      restricted: () => false,
    })
    const { ttlMs, cacheScope, ...result } = await page.serve(request)
    return result
  }
}

/** Tells those who watch of what is not as it was. */
function announce(host: ServerHost, before: SkillCatalogue, after: SkillCatalogue, relist: () => void): void {
  relist()
  const { resources, templates } = host.offers
  if (JSON.stringify(before.skills) !== JSON.stringify(after.skills)) templates.listChanged(skillTemplate)
  for (const [uri, { digest }] of before.files) if (after.files.get(uri)?.digest !== digest) resources.updated(uri)
}

function listedOf({ skills, folders }: SkillCatalogue): readonly Resource[] {
  return skills.flatMap(({ uri }) => folders.get(skillRoot(uri) ?? '')?.filter((child) => child.uri === uri) ?? [])
}

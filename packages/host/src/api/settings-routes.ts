import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { serverNameOf } from '../act/server-key.ts'
import { isTable, type Table, type Value, valueAt } from '../config/document/document.ts'
import { editJson } from '../config/document/json-edit.ts'
import { FileChangedError, planFileChange, readToEdit, writeFileChange } from '../config/file-change.ts'
import { projectFile } from '../config/places.ts'
import { describeProblem } from '../config/problem.ts'
import type { ModelEntry } from '../config/schema/model-entry.ts'
import { plainSettings, settings } from '../config/schema/settings.ts'
import { isReference } from '../config/secrets/find-literals.ts'
import { type KeptSecret, secretsApart } from '../config/secrets/keep-apart.ts'
import { maskedIn, unmasked } from '../config/secrets/mask.ts'
import type { FileChange } from '../config/undo.ts'
import { valueEdits } from '../config/value-edits.ts'
import { ApiError } from './api-error.ts'
import { plannedChange, shownChange } from './planned-change.ts'
import { recordChange } from './record-change.ts'
import { route } from './route.ts'
import * as s from './schemas.ts'
import type { ApiServices } from './services.ts'

/** Parts of the file that have screens of their own, with their own questions. */
const elsewhere = ['$schema', 'mcpServers', 'policy']

const schemas: { readonly [section: string]: Table } = Object.fromEntries(
  Object.entries(settings.schema.properties as { readonly [key: string]: Table }).filter(
    ([key]) => !elsewhere.includes(key),
  ),
)

const setting = z.object({
  key: z.string(),
  value: z.unknown().optional().describe('In effect, with stars for secrets; missing where there is none'),
  source: z.string().optional().describe('The file and line, or what stands for it; missing for the default'),
  isOwn: z.boolean().describe('The own file of the person says it, and no other layer'),
})

/** Routes of the settings in the person's own file; what can be set is what the schema of the configuration says. */
export const settingsRoutes = {
  settings: route({
    method: 'GET',
    path: '/api/settings',
    needs: 'nothing',
    says: 'Every setting but servers and policy: its schema, what the own file of the person says, and what counts',
    answer: z.object({
      file: z.string(),
      sections: z.array(
        z.object({
          key: z.string(),
          schema: z.record(z.string(), z.unknown()),
          own: z.unknown().optional().describe('As it is written, with stars for secrets; missing where nothing is'),
          settings: z.array(setting),
        }),
      ),
    }),
    async handle(_input, { config, directory, places }) {
      const { value } = await readToEdit(places.userFile)
      const effective = await config.effective(directory)
      const plain = plainSettings()
      const sections = Object.entries(schemas).map(([key, schema]) => {
        const own = valueAt(value, [key])
        const counting = plain.filter(([first]) => first === key).map((path) => countingSetting(effective, path))
        return { key, schema: { ...schema }, ...(own !== undefined && { own: maskedIn(own) }), settings: counting }
      })
      return { file: places.userFile, sections }
    },
  }),
  planSettings: route({
    method: 'POST',
    path: '/api/settings/plan',
    needs: 'nothing',
    says: 'What other settings would change in the own file of the person; nothing is written',
    body: z.strictObject({ section: z.string(), value: z.unknown() }),
    answer: plannedChange,
    handle: async ({ section, value }, services) => shownChange(await plan(services, section, value as Value)),
  }),
  changeSettings: route({
    method: 'POST',
    path: '/api/settings',
    needs: 'person',
    says: 'Writes other settings to the own file of the person, exactly as they were shown',
    body: z.strictObject({ section: z.string(), value: z.unknown(), digest: z.string() }),
    answer: plannedChange,
    async handle({ section, value, digest }, services, context) {
      const { host, places, secrets, applyFiles } = services
      const made = await plan(services, section, value as Value)
      const told = shownChange(made)
      if (told.digest !== digest) throw new ApiError(409, new FileChangedError(places.userFile).message)
      for (const secret of made.secrets) await secrets.set(secret.name, secret.value)
      await writeFileChange(made.file)
      await recordChange(host, context, { outcome: 'settings changed', why: `${section} in ${places.userFile}` })
      await applyFiles(places.userFile)
      return told
    },
  }),
  projects: route({
    method: 'GET',
    path: '/api/projects',
    needs: 'nothing',
    says: 'The projects that callers work in: the roots that servers get, and the servers of each',
    answer: s.list(
      z.object({
        directory: z.string(),
        roots: z.array(z.string()).describe('As servers get them'),
        isSet: z.boolean().describe('The roots are those of the settings, and not the folder of the project'),
        file: z.string().describe('The file of the project, whether or not it is there'),
        servers: z.array(z.string()),
        usedAt: z.number(),
      }),
    ),
    handle: (_input, { host }) => ({
      items: host.projects.roots
        .filter((directory) => directory !== '')
        .map((directory) => ({
          directory,
          roots: (host.projects.of(directory).roots ?? [directory]).map((folder) => pathToFileURL(folder).href),
          isSet: host.projects.of(directory).roots !== undefined,
          file: projectFile(directory),
          servers: host.projects.of(directory).specs.map(({ name }) => serverNameOf(name)),
          usedAt: host.projects.usedAt(directory),
        })),
    }),
  }),
}

function countingSetting(
  config: Awaited<ReturnType<ApiServices['config']['effective']>>,
  path: readonly string[],
): z.output<typeof setting> {
  const { value, place } = config.resolve(path)
  return {
    key: path.join('.'),
    ...(value !== undefined && { value: valueAt(maskedIn({ [`${path.at(-1)}`]: value }), [`${path.at(-1)}`]) }),
    ...(place && { source: hasLines(place) ? `${place.file}:${place.line}` : place.file }),
    isOwn: place?.layer === 'user',
  }
}

/** True for a place in a file; the environment and the command line have no lines. */
function hasLines({ layer, line }: { readonly layer: string; readonly line: number }): boolean {
  return line > 0 && layer !== 'flags' && layer !== 'environment'
}

interface SettingsPlan {
  readonly file: FileChange
  readonly says: readonly string[]
  readonly secrets: readonly KeptSecret[]
}

async function plan({ config, places }: ApiServices, section: string, given: Value): Promise<SettingsPlan> {
  if (!Object.hasOwn(schemas, section)) throw new ApiError(404, `There are no settings "${section}" to change here`)
  const { userFile } = places
  let secrets: readonly KeptSecret[] = []
  const file = await planFileChange(userFile, ({ text, value }) => {
    const before = valueAt(value, [section])
    const kept = keysApart(section, unmaskedOf(given, before), before)
    secrets = kept.secrets
    const isEmpty = isTable(kept.value) && Object.keys(kept.value).length === 0
    return editJson(text, valueEdits([section], before, isEmpty ? undefined : kept.value))
  })
  const { problems } = await config.trial(file.after)
  const problem = problems.find(
    (one) => one.file === userFile && (one.key === section || one.key.startsWith(`${section}.`)),
  )
  if (problem) throw new ApiError(400, `Cannot change "${section}": ${describeProblem(problem)}`)
  return { file, secrets, says: section === 'host' ? ['Another port counts when the host is started again.'] : [] }
}

function unmaskedOf(given: Value, before: Value | undefined): Value {
  try {
    return unmasked(given, before)
  } catch (error) {
    throw new ApiError(400, (error as Error).message)
  }
}

/** Settings that refer to new keys in them, which are kept apart. */
function keysApart(section: string, value: Value, before: Value | undefined) {
  if (section !== 'models' || !isTable(value)) {
    const { entry, secrets } = secretsApart(section, value as object, before)
    return { value: entry as Value, secrets }
  }
  const models = Object.entries(value as { readonly [name: string]: ModelEntry }).map(([name, model]) => {
    const { entry, secrets } = secretsApart(`model.${name}`, model as object, valueAt(before, [name]))
    const { key } = entry as ModelEntry
    if (key === undefined || isReference(key)) return { name, model: entry as Value, secrets }
    const kept = `model.${name.replaceAll(/[^A-Za-z0-9_.-]+/g, '_')}.key`
    return {
      name,
      model: { ...entry, key: `secret:${kept}` } as Value,
      secrets: [...secrets, { name: kept, value: key }],
    }
  })
  return {
    value: Object.fromEntries(models.map(({ name, model }) => [name, model])) as Value,
    secrets: models.flatMap((one) => one.secrets),
  }
}

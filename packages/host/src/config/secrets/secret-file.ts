import { chmod, readFile, stat } from 'node:fs/promises'
import { withLock } from '../../store/lock-file.ts'
import { writeFileWhole } from '../../store/write-file.ts'
import { isTable } from '../document/document.ts'
import { readJson } from '../document/json.ts'
import { describeProblem } from '../problem.ts'

const legalName = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/
const maxSecrets = 10_000
const maxSecretLength = 64 * 1024

/** Keeps secrets apart from configuration, which refers to them as `secret:NAME`. */
export interface Secrets {
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
  remove(name: string): Promise<void>
  names(): Promise<readonly string[]>
}

/** Secrets in one file that only its owner can read. */
export function secretFile(path: string): Secrets {
  return {
    get: async (name) => (await readSecrets(path)).get(name),
    names: async () => [...(await readSecrets(path)).keys()].sort(),
    set: (name, value) => {
      const wrong = refusal(name, value)
      if (wrong !== undefined) return Promise.reject(new Error(`Cannot keep the secret "${name}": ${wrong}`))
      return change(path, (secrets) => secrets.set(name, value))
    },
    remove: (name) => change(path, (secrets) => secrets.delete(name)),
  }
}

function refusal(name: string, value: string): string | undefined {
  if (!legalName.test(name)) return 'its name may hold letters, digits, dots, - and _, at most 128'
  if (value === '') return 'it is empty'
  if (value.length > maxSecretLength) return `it is longer than ${maxSecretLength}`
  return undefined
}

async function change(path: string, edit: (secrets: Map<string, string>) => void): Promise<void> {
  await withLock(`${path}.lock`, async () => {
    const secrets = await readSecrets(path)
    edit(secrets)
    if (secrets.size > maxSecrets) throw new Error(`Cannot keep more than ${maxSecrets} secrets: remove some`)
    await writeFileWhole(path, `${JSON.stringify(Object.fromEntries(secrets), null, 2)}\n`)
  })
}

/** A broken file is never overwritten: its content would be lost. */
async function readSecrets(path: string): Promise<Map<string, string>> {
  const text = await readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '{}'
    throw new Error(`Cannot read the secrets in "${path}": ${error.code}; make the file readable for you`, {
      cause: error,
    })
  })
  await closeToOthers(path)
  const { value, problems } = readJson(path, text)
  const [problem] = problems
  if (problem !== undefined) throw new Error(`Cannot read the secrets: ${describeProblem(problem)}`)
  const entries = isTable(value) ? Object.entries(value) : []
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

async function closeToOthers(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found !== undefined && (found.mode & 0o077) !== 0) await chmod(path, 0o600)
}

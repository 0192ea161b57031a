import type { Server } from '@trunkline/mcp'
import { AuthoringError } from '../failure/authoring-error.ts'
import { apiServer } from './api-server.ts'
import { baseAddress } from './base-address.ts'
import { readCredentials } from './credentials.ts'
import type { ApiOperation } from './operation.ts'
import { readDocument } from './read-document.ts'
import { readOperations } from './read-operations.ts'

/** Options for serving an API. */
export interface OpenApiOptions {
  /** A file or a URL. */
  readonly source: string
  readonly base?: string | undefined
  readonly auth?: readonly string[] | undefined
  readonly tag?: readonly string[] | undefined
  readonly as?: string | undefined
  readonly loose?: boolean | undefined
  readonly timeoutMs?: number | undefined
}

/** Above this many operations a model is better served by a search. */
const mostTools = 100
const defaultTimeoutMs = 30_000

/** Reads the description of an API and makes a server of it. */
export async function openApi(
  options: OpenApiOptions,
  signal: AbortSignal,
): Promise<{ readonly api: Server; readonly count: number; readonly base: URL }> {
  const { root, url } = await readDocument(options.source, signal)
  const base = baseAddress(root, { given: options.base, documentUrl: url })
  const operations = withTags(readOperations(root), options.tag ?? [])
  if (operations.length === 0) throw new AuthoringError(`Cannot serve "${options.source}": it describes no operation`)
  const as = options.as ?? (operations.length > mostTools ? 'search' : 'tools')
  const api = apiServer({
    root,
    base,
    operations,
    as: as === 'search' ? 'search' : 'tools',
    credentials: await readCredentials(options.auth ?? [], root, findSecret),
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    promisesAnswers: options.loose !== true,
  })
  return { api, count: operations.length, base }
}

function withTags(operations: readonly ApiOperation[], tags: readonly string[]): readonly ApiOperation[] {
  const known = [...new Set(operations.flatMap((operation) => operation.tags))]
  for (const tag of tags)
    if (!known.includes(tag))
      throw new AuthoringError(`Cannot use "--tag ${tag}": the tags are ${known.join(', ') || 'none'}`)
  return tags.length === 0
    ? operations
    : operations.filter((operation) => operation.tags.some((tag) => tags.includes(tag)))
}

/** Finds a secret among those that are kept on this machine; the host is loaded only for that. */
async function findSecret(name: string): Promise<string | undefined> {
  const { findPlaces, secretFile, thisMachine } = await import('@trunkline/host/config')
  return secretFile(findPlaces(thisMachine()).secretsFile).get(name)
}

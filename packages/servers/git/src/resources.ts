import { basename } from 'node:path'
import type { Context, ReadContext, ResourceContents } from '@trunkline/mcp'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import { readBlame } from './blame.ts'
import { readChanges, readPatch } from './changes.ts'
import { listCommits, readCommit } from './commits.ts'
import type { GitServer, GitSetup } from './git-setup.ts'
import { refuseMissing } from './history-tools.ts'
import { readRefs } from './list-refs.ts'
import { pathInTree } from './paths.ts'
import { commitId, emptyTree } from './refs.ts'
import { openRepository, type Repository } from './repository.ts'
import { gitUri, shortId, showChange } from './shown.ts'
import { readShownStatus, statusText } from './work-tree-tools.ts'

/** Offers commits, differences, files, blame and the status as resources. */
export function offerResources(git: GitServer, setup: GitSetup): void {
  const completing = completers(setup)
  const complete = { repo: completing.repo, sha: completing.sha }
  const ofFiles = { repo: completing.repo, ref: completing.ref, path: completing.path }
  git.template(
    'git://{repo}/commit/{sha}',
    { name: 'commit', mimeType: 'text/plain', complete },
    async ({ repo, sha }, ctx) => {
      const repository = await setup.openNamed(ctx, repo)
      const commit = await readCommit(repository, await commitId(repository, sha))
      const changes = await readChanges(repository, await sidesOf(repository, commit.sha), [])
      const head = [`commit ${commit.sha}`, `${commit.author} <${commit.email}>, ${commit.date}`]
      return textAt(ctx, [...head, '', commit.subject, '', commit.body, '', ...changes.map(showChange)].join('\n'))
    },
  )
  git.template(
    'git://{repo}/commit/{sha}/diff',
    { name: 'commit difference', mimeType: 'text/x-diff', complete },
    async ({ repo, sha }, ctx) => {
      const repository = await setup.openNamed(ctx, repo)
      const id = await commitId(repository, sha)
      return textAt(ctx, await readPatch(repository, await sidesOf(repository, id), []), 'text/x-diff')
    },
  )
  git.template(
    'git://{repo}/file/{ref}/{+path}',
    { name: 'file', description: 'A file as a commit has it', complete: ofFiles },
    (given, ctx) => readBlob(setup, given, ctx),
  )
  git.template(
    'git://{repo}/blame/{ref}/{+path}',
    { name: 'blame', mimeType: 'text/plain', complete: ofFiles },
    async ({ repo, ref, path }, ctx) => {
      const { repository, id, place } = await placeOf(setup, { repo, ref, path }, ctx)
      const runs = await readBlame(repository, { id, path: place, from: 1, lines: maxBlamedLines })
      const lines = runs.map(
        (run) =>
          `${run.from}-${run.from + run.lines - 1} ${shortId(run.sha)} ${run.date} ${run.author}: ${run.subject}`,
      )
      return textAt(ctx, lines.join('\n'))
    },
  )
  const list = async () =>
    (await setup.repositories()).map((path) => ({
      uri: gitUri({ name: basename(path) }, 'status'),
      name: `${basename(path)} status`,
    }))
  git.template(
    'git://{repo}/status',
    { name: 'status', mimeType: 'text/plain', list, complete: { repo: completing.repo } },
    async ({ repo }, ctx) => textAt(ctx, statusText(await readShownStatus(await setup.openNamed(ctx, repo)))),
  )
}

const maxBlamedLines = 5_000

function textAt({ uri }: ReadContext, text: string, mimeType = 'text/plain'): ResourceContents {
  return { uri, mimeType, text }
}

async function sidesOf(repository: Repository, id: string): Promise<readonly string[]> {
  const { parents } = await readCommit(repository, id)
  return ['diff-tree', '-r', parents[0] ?? (await emptyTree(repository)), id]
}

interface FileAddress {
  readonly repo: string
  readonly ref: string
  readonly path: string
}

async function placeOf(setup: GitSetup, { repo, ref, path }: FileAddress, ctx: Context) {
  const repository = await setup.openNamed(ctx, repo)
  const id = await commitId(repository, ref)
  const place = pathInTree(repository, path)
  await refuseMissing(repository, id, place)
  return { repository, id, place }
}

async function readBlob(setup: GitSetup, address: FileAddress, ctx: ReadContext): Promise<ResourceContents> {
  const { repository, id, place } = await placeOf(setup, address, ctx)
  const [, kind = '', blob = ''] =
    /^\d+ (\w+) ([0-9a-f]+)\t/.exec((await repository.run(['ls-tree', '-z', id, '--', place])).toString()) ?? []
  if (kind === 'tree') {
    const names = await repository.run(['ls-tree', '-z', '--name-only', id, '--', `${place}/`])
    return textAt(ctx, names.toString().split('\0').filter(Boolean).join('\n'))
  }
  if (kind !== 'blob') throw new ToolProblem('refused', `Cannot read ${JSON.stringify(place)}: it is a submodule`)
  const bytes = await repository.run(['cat-file', 'blob', blob])
  const text = bytes.toString()
  const isText = !bytes.includes(0) && Buffer.from(text).equals(bytes)
  return isText
    ? textAt(ctx, text)
    : { uri: ctx.uri, mimeType: 'application/octet-stream', blob: bytes.toString('base64') }
}

/** Completion of the variables of addresses; nothing is suggested where something does not exist. */
function completers(setup: GitSetup) {
  const opened = async (name: string | undefined): Promise<Repository | undefined> => {
    const paths = await setup.repositories()
    const path = name === undefined && paths.length === 1 ? paths[0] : paths.find((each) => basename(each) === name)
    return path === undefined
      ? undefined
      : openRepository({ folders: setup.folders, base: path }, path, setup).catch(() => undefined)
  }
  const orNothing = async (work: () => Promise<readonly string[]>) => work().catch(() => [])
  return {
    repo: async (start: string) =>
      (await setup.repositories()).map((path) => basename(path)).filter((name) => name.startsWith(start)),
    sha: (start: string, { repo }: { readonly [name: string]: string }) =>
      orNothing(async () => {
        const repository = await opened(repo)
        if (repository === undefined) return []
        const { commits } = await listCommits(
          repository,
          { tip: await commitId(repository, 'HEAD') },
          { limit: 100, skip: 0 },
        )
        return commits.map(({ sha }) => sha).filter((sha) => sha.startsWith(start))
      }),
    ref: (start: string, { repo }: { readonly [name: string]: string }) =>
      orNothing(async () => {
        const repository = await opened(repo)
        if (repository === undefined) return []
        const refs = await Promise.all((['branch', 'tag'] as const).map((kind) => readRefs(repository, kind, '')))
        return ['HEAD', ...refs.flat().map(({ name }) => name)].filter((name) => name.startsWith(start))
      }),
    path: (start: string, { repo, ref = 'HEAD' }: { readonly [name: string]: string }) =>
      orNothing(async () => {
        const repository = await opened(repo)
        if (repository === undefined) return []
        const folder = start.slice(0, start.lastIndexOf('/') + 1)
        const args = ['ls-tree', '-z', await commitId(repository, ref), ...(folder === '' ? [] : ['--', folder])]
        const entries = (await repository.run(args)).toString().split('\0').filter(Boolean)
        return entries
          .map((entry) => entry.slice(entry.indexOf('\t') + 1) + (/^\d+ tree/.test(entry) ? '/' : ''))
          .filter((path) => path.startsWith(start))
      }),
  }
}

import type { GithubSetup, MeantRepo } from './github-setup.ts'

/** A file that a pull request or a comparison changes. */
export interface PullFile {
  readonly path: string
  readonly change: string
  readonly from?: string
  readonly added: number
  readonly removed: number
  readonly patch?: string
}

/** A changed file as GitHub lists it. */
export interface ListedFile {
  readonly filename: string
  readonly status: string
  readonly previous_filename?: string
  readonly additions: number
  readonly deletions: number
  readonly patch?: string
}

/** The files of a pull request, up to a number. */
export async function readPullFiles(
  { api, limits }: GithubSetup,
  meant: MeantRepo,
  number: number,
): Promise<readonly PullFile[]> {
  const { owner, repo, request } = meant
  const route = { method: 'GET', url: '/repos/{owner}/{repo}/pulls/{pull_number}/files' } as const
  const at = { ...route, owner, repo, pull_number: number, per_page: 100 }
  const files: PullFile[] = []
  const pages = api.client.paginate.iterator(request as never, at as never) as AsyncIterable<{ readonly data: unknown }>
  for await (const { data } of pages) {
    files.push(...(data as readonly ListedFile[]).map(changedFile))
    if (files.length >= limits.maxPullFiles) break
  }
  return files.slice(0, limits.maxPullFiles)
}

/** A changed file in our words. */
export function changedFile({
  filename,
  status,
  previous_filename,
  additions,
  deletions,
  patch,
}: ListedFile): PullFile {
  return {
    path: filename,
    change: status,
    ...(previous_filename !== undefined && { from: previous_filename }),
    added: additions,
    removed: deletions,
    ...(patch !== undefined && { patch }),
  }
}

/** A changed file on one line. */
export function showFile({ path, change, from, added, removed }: Omit<PullFile, 'patch'>): string {
  return `${change} ${from === undefined ? '' : `${from} → `}${path} +${added} -${removed}`
}

/** The differences of files as one text; GitHub leaves out those of large and binary files. */
export function diffText(files: readonly PullFile[]): string {
  return files
    .map((file) => `--- ${file.from ?? file.path}\n+++ ${file.path}\n${file.patch ?? '[no text to compare]'}`)
    .join('\n')
}

import { type Context, reply } from '@trunkline/mcp'
import { fitItems } from '@trunkline/server-kit/cut-text'
import { explained, ToolProblem } from '@trunkline/server-kit/tool-problem'
import { type CheckItem, readChecks } from './checks.ts'
import {
  type GithubServer,
  type GithubSetup,
  type MeantRepo,
  meantWords,
  pull,
  readingHints,
  repoArgument,
} from './github-setup.ts'
import { checkedRef, fullName, githubUri } from './references.ts'
import { cutLine } from './shown.ts'

const maxAnnotated = 5

/** Offers the tool that tells how the checks of a commit ended. */
export function offerChecks(github: GithubServer, setup: GithubSetup): void {
  github.tool(
    'get_checks',
    {
      description: 'Tells how the checks of a pull request or ref ended. Logs of failed ones are resources.',
      annotations: readingHints,
      input: {
        type: 'object',
        properties: { pull, ref: { type: 'string', description: 'Instead of "pull"' }, repo: repoArgument },
        additionalProperties: false,
      },
    },
    explained(async ({ pull: given, ref, repo: named }, ctx: Context) => {
      if ((given === undefined) === (ref === undefined))
        throw new ToolProblem('refused', 'Cannot read checks: give "pull" or "ref", and not both')
      const meant = given === undefined ? await setup.open(ctx, named) : (await setup.openItem(ctx, given)).meant
      const commit = given === undefined ? checkedRef(`${ref}`) : await headOf(setup, ctx, given)
      const { state, items } = await readChecks(meant, commit)
      const sorted = [...items].sort((one, other) => order(one) - order(other))
      const detailed = await Promise.all(sorted.map((check, at) => withAnnotations(meant, check, at)))
      const shown = fitItems(detailed, 2_000)
      const left = shown.left > 0 ? { left: shown.left } : {}
      const lines = [
        `checks ${state}: ${meantWords(meant)}, ${commit}`,
        ...shown.items.flatMap((check) => [
          `${check.state} ${check.name}${check.log === undefined ? '' : ` (${check.log})`}`,
          ...(check.annotations ?? []).map(({ path, line, text }) => `  ${path}:${line}: ${text}`),
        ]),
        ...(shown.left > 0 ? [`[${shown.left} more]`] : []),
      ]
      return reply(lines.join('\n'), { structured: { repo: fullName(meant), state, items: shown.items, ...left } })
    }),
  )
}

async function headOf(setup: GithubSetup, ctx: Context, given: unknown): Promise<string> {
  const { meant, number } = await setup.openItem(ctx, given)
  const { owner, repo: name, request } = meant
  const at = { owner, repo: name, pull_number: number }
  return (await request('GET /repos/{owner}/{repo}/pulls/{pull_number}', at)).data.head.sha
}

/** Failed checks first, then those that are not done. */
function order({ state }: CheckItem): number {
  return ['failed', 'pending', 'passed'].indexOf(state)
}

async function withAnnotations(
  meant: MeantRepo,
  { id, ...check }: CheckItem,
  at: number,
): Promise<Omit<CheckItem, 'id'>> {
  if (id === undefined || check.state !== 'failed') return check
  const { owner, repo: name, request } = meant
  const log = githubUri(meant, 'run', id, 'log')
  if (at >= maxAnnotated) return { ...check, log }
  const where = { owner, repo: name, check_run_id: id, per_page: 5 }
  const found = await request('GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations', where).then(
    ({ data }) => data,
    // the state of the check is known without them
    () => [],
  )
  const annotations = found
    .slice(0, 5)
    .map(({ path, start_line, message }) => ({ path, line: start_line, text: cutLine(message, 200) }))
  return { ...check, log, ...(annotations.length > 0 && { annotations }) }
}

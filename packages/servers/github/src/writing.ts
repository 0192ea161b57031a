import type { Context } from '@trunkline/mcp'
import type { Plan } from '@trunkline/mcp/contract'
import { quoted, writePlan } from '@trunkline/server-kit/preview'
import { crossingLine, requireCrossing } from './crossing.ts'
import { type GithubSetup, type MeantRepo, meantWords } from './github-setup.ts'

/** A repository that may be written to. */
export type WriteTarget = MeantRepo & { readonly isPublic: boolean }

/** Effects of every write. */
export const effects = { network: ['*'] } as const

/** A text that a write takes. */
export const longText = { type: 'string', maxLength: 60_000 } as const

/** The plan of a write: the repository, who can read it, and the exact request. */
export async function planFor(
  setup: GithubSetup,
  target: WriteTarget,
  { changes, request }: { readonly changes: readonly string[]; readonly request: unknown },
): Promise<Plan> {
  const from = await setup.crossing.from(target.request, target)
  const readers = target.isPublic ? 'public, everybody can read it' : 'private'
  return writePlan({
    changes: [...changes, `in ${meantWords(target)} (${readers})`, ...crossingLine(from, target)],
    request,
    account: await setup.account(target.request),
  })
}

/** Checks a write before anything is sent: the person is asked where private text might become public. */
export async function beforeWrite(setup: GithubSetup, ctx: Context, target: WriteTarget): Promise<void> {
  await requireCrossing(ctx, await setup.crossing.from(target.request, target), target)
}

/** Lines of a preview with a text that would be written. */
export function textLines(name: string, given: string | undefined): readonly string[] {
  return given === undefined || given === '' ? [] : [`${name}: ${quoted(given, 2_000)}`]
}

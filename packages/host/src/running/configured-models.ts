import type { EffectiveConfig } from '../config/effective.ts'
import { type ConfigProblem, describeProblem } from '../config/problem.ts'
import { resolveModels } from '../config/resolve-models.ts'
import type { ServerContext } from '../config/resolve-server.ts'
import { usualBudget } from '../model/budgets.ts'
import type { Models } from '../model/models.ts'

/** Gives the host the models of its configuration; returns the problems of those it cannot use. */
export async function configureModels(
  models: Models,
  config: EffectiveConfig,
  context: ServerContext,
): Promise<readonly ConfigProblem[]> {
  const { use, tokensPerDay, budget, budgets } = config.settings.model ?? {}
  const resolved = await resolveModels(config, context)
  // a mistake in an entry was found when its file was read, and is why the model is not there
  const mistakes = config.problems.filter(({ key }) => key.startsWith('models'))
  models.configure({
    models: resolved.models,
    use,
    tokensPerDay,
    budgetOf: (server) => ({ ...usualBudget, ...budget, ...budgets?.[server] }),
    problems: [...resolved.problems, ...mistakes].map(describeProblem),
  })
  return resolved.problems
}

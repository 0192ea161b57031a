import type { ConfiguredModel } from '../config/resolve-models.ts'

/** Model preferences of a server: names in order, and priorities from 0 to 1. */
export interface ModelWishes {
  readonly hints?: readonly { readonly name?: string }[]
  readonly costPriority?: number
  readonly speedPriority?: number
  readonly intelligencePriority?: number
}

/**
 * The configured model that fits wishes best: the first hint that names one decides, by a part of its name or by a name it
 * stands for; among several, or without a hint, priorities do. Without any, it is the usual one.
 */
export function chooseModel(
  models: readonly ConfiguredModel[],
  wishes: ModelWishes = {},
  usual: string | undefined = undefined,
): ConfiguredModel | undefined {
  const named = (wishes.hints ?? [])
    .map(({ name = '' }) => (name === '' ? [] : models.filter((model) => standsFor(model, name.toLowerCase()))))
    .find((some) => some.length > 0)
  const able = named ?? models
  const [first] = able
  const usualOne = able.find(({ name }) => name === usual) ?? first
  if (!hasPriorities(wishes)) return usualOne
  const dearest = Math.max(...models.map(priceOf))
  const scored = able.map((model) => ({ model, score: scoreOf(model, wishes, dearest) }))
  const best = Math.max(...scored.map(({ score }) => score))
  const equals = scored.filter(({ score }) => score === best).map(({ model }) => model)
  return equals.find((model) => model === usualOne) ?? equals[0]
}

function standsFor({ name, modelId, hints }: ConfiguredModel, hint: string): boolean {
  const own = [name, modelId].some((known) => known.toLowerCase().includes(hint))
  return own || hints.some((one) => one !== '' && hint.includes(one.toLowerCase()))
}

function hasPriorities({ costPriority, speedPriority, intelligencePriority }: ModelWishes): boolean {
  return [costPriority, speedPriority, intelligencePriority].some((one) => one !== undefined && one > 0)
}

function scoreOf(model: ConfiguredModel, wishes: ModelWishes, dearest: number): number {
  const cheapness = dearest === 0 ? 1 : 1 - priceOf(model) / dearest
  const { costPriority = 0, speedPriority = 0, intelligencePriority = 0 } = wishes
  return costPriority * cheapness + speedPriority * model.speed + intelligencePriority * model.intelligence
}

/** Price of a request; answers are short beside their input. */
function priceOf({ inputPrice, outputPrice }: ConfiguredModel): number {
  return inputPrice + outputPrice / 3
}

import type { Caller } from '@trunkline/mcp'

/** True if the person in front of a caller can be shown a form; the oldest way to declare it names no modes. */
export function canFillForms({ capabilities: { elicitation } }: Caller): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

/** True if they can be asked to visit a page. */
export function canVisitPages({ capabilities: { elicitation } }: Caller): boolean {
  return elicitation?.url !== undefined
}

/** True if the caller's model can continue some messages, with tools if they bring tools along. */
export function canSample({ capabilities: { sampling } }: Caller, withTools: boolean): boolean {
  return sampling !== undefined && (!withTools || sampling.tools !== undefined)
}

/** True if the caller can say which folders it works on. */
export function canTellRoots({ capabilities: { roots } }: Caller): boolean {
  return roots !== undefined
}

import { type Context, McpError } from '@trunkline/mcp'

/** True if a form can be shown; a client that names none of the ways shows forms. */
export function canBeAsked({ caller }: Context): boolean {
  const ways = caller.capabilities?.elicitation as { form?: unknown; url?: unknown } | undefined
  return ways !== undefined && (ways.form !== undefined || ways.url === undefined)
}

/** A question that is answered with yes or no. */
export interface YesQuestion {
  /** Title of the answer. */
  readonly title: string
  /** The key by which a call that is run again finds its answer. @default made of the words of the question */
  readonly key?: string
}

/** Asks the person for a yes; false if they decline or the answer is no. */
export async function askForYes(ctx: Context, message: string, { title, ...options }: YesQuestion): Promise<boolean> {
  const schema = {
    type: 'object',
    properties: { answer: { type: 'string', enum: ['yes', 'no'], title } },
    required: ['answer'],
  } as const
  try {
    const { answer } = await ctx.elicit(message, schema, options)
    return answer === 'yes'
  } catch (error) {
    if (error instanceof McpError && error.code === 'Declined') return false
    throw error
  }
}

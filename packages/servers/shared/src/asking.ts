import { type Context, McpError } from '@trunkline/mcp'

/** True if a form can be shown; a client that names none of the ways shows forms. */
export function canBeAsked({ caller }: Context): boolean {
  const ways = caller.capabilities?.elicitation as { form?: unknown; url?: unknown } | undefined
  return ways !== undefined && (ways.form !== undefined || ways.url === undefined)
}

/** Asks the person for a yes; false if they decline or the answer is no. */
export async function askForYes(ctx: Context, message: string, title: string): Promise<boolean> {
  const schema = {
    type: 'object',
    properties: { answer: { type: 'string', enum: ['yes', 'no'], title } },
    required: ['answer'],
  } as const
  try {
    const { answer } = await ctx.elicit(message, schema)
    return answer === 'yes'
  } catch (error) {
    if (error instanceof McpError && error.code === 'Declined') return false
    throw error
  }
}

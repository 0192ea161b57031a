import type { Context } from '@trunkline/mcp'
import type { PasswordPage } from './password-page.ts'
import type { TerminalQuestion } from './terminal-question.ts'

/** Caller to ask, and the key of the question when the call is made again. */
export interface Asked {
  readonly ctx: Context
  readonly page: PasswordPage
  readonly key: string
}

/** Passes a question of a program on to the caller; returns the answer as it is to be typed. */
export async function askCaller({ kind, text, answers }: TerminalQuestion, { ctx, page, key }: Asked): Promise<string> {
  const can = ctx.caller.capabilities.elicitation
  const message = `The program asks:\n${text}`
  if (kind === 'password') {
    // the protocol forbids forms for secrets: they would pass through the client and its model
    if (can?.url === undefined) throw unasked(text, 'clients take passwords only on a page, and this one opens none')
    const asked = await page.ask(key, text)
    await ctx.elicitUrl(message, asked.url, { key })
    return asked.answer
  }
  if (can === undefined) throw unasked(text, 'this client cannot be asked')
  if (kind === 'yes-or-no') {
    const { yes } = await ctx.elicit(message, yesOrNo, { key })
    return yes ? answers[0] : answers[1]
  }
  return (await ctx.elicit(message, oneLine, { key })).answer
}

function unasked(question: string, why: string): Error {
  return new Error(`Cannot answer the program, which asks ${JSON.stringify(question)}: ${why}`)
}

const yesOrNo = {
  type: 'object',
  properties: { yes: { type: 'boolean', title: 'Yes' } },
  required: ['yes'],
} as const

const oneLine = {
  type: 'object',
  properties: { answer: { type: 'string', title: 'Answer' } },
  required: ['answer'],
} as const

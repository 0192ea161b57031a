import assert from 'node:assert/strict'
import type { ClientOptions, ElicitationRequest } from '@trunkline/mcp/client'

interface FormRequest {
  readonly requestedSchema: { readonly properties: object }
}

/** The one field that a form asks for. */
export function fieldOf(form: object): string {
  const [field = ''] = Object.keys((form as FormRequest).requestedSchema.properties)
  return field
}

/** Types a password into the page that asks for it. */
export async function visit(url: string): Promise<void> {
  const page = await (await fetch(url)).text()
  assert.match(page, /type="password"/)
  assert.equal((await fetch(new URL('/', url))).status, 404)
  assert.equal((await fetch(url, { headers: { origin: 'http://evil.example' } })).status, 404)
  await fetch(url, { method: 'POST', body: new URLSearchParams({ answer: 'hunter2' }) })
}

/** Answers as a person would: forms with these, and pages by visiting them. */
export function person(seen: string[], answers: { readonly [field: string]: unknown }): ClientOptions {
  return {
    elicitation: {
      form: async (request: ElicitationRequest) => {
        seen.push(request.message)
        const field = fieldOf(request)
        const value = answers[field]
        return value === undefined ? { action: 'decline' } : { action: 'accept', content: { [field]: value } }
      },
      url: async ({ message, url }: { message: string; url: string }) => {
        seen.push(message)
        await visit(url)
        return { action: 'accept' }
      },
    },
  } as unknown as ClientOptions
}

import { type Client, connect } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { type GithubServerOptions, githubServer } from '../src/github-server.ts'

/** No pauses between requests: the tests are alone with their server. */
const limits = { writeEveryMs: 0, searchEveryMs: 0, retryMs: 1 } as const

/** A client of a server for GitHub; `answer` answers questions to the person. */
export async function clientOf(
  { url, ...options }: Partial<GithubServerOptions> & { readonly url: string },
  answer?: (message: string) => 'yes' | 'no',
) {
  const served = await githubServer({
    token: 'good',
    apiUrl: url,
    repos: ['ada/*'],
    ...options,
    limits: { ...limits, ...options.limits },
  })
  const elicitation =
    answer &&
    (({ message }: { readonly message: string }) => ({
      action: 'accept' as const,
      content: { answer: answer(message) },
    }))
  return connect(served, { extensions: [contract()], ...(elicitation && { elicitation }) })
}

/** Structured content of a result, of a type that the test expects. */
export async function call<Result = { readonly [name: string]: unknown }>(
  client: Pick<Client, 'tools'>,
  name: string,
  args: { readonly [name: string]: unknown } = {},
): Promise<Result> {
  const result = await client.tools.call(name, args as never)
  return (result.structuredContent ?? { content: result.content, isError: result.isError }) as Result
}

/** The problem that a result tells; undefined for one that went well. */
export async function problemOf(
  client: Pick<Client, 'tools'>,
  name: string,
  args: { readonly [name: string]: unknown } = {},
): Promise<{ readonly code: string; readonly message: string; readonly [name: string]: unknown } | undefined> {
  return (await call<{ error?: { code: string; message: string } }>(client, name, args)).error
}

/** Effects of the preview of a call, as one text. */
export async function previewOf(
  client: { readonly tools: { preview: (name: never, args: never) => Promise<{ effects: readonly string[] }> } },
  name: string,
  args: object,
): Promise<string> {
  return (await client.tools.preview(name as never, args as never)).effects.join('\n')
}

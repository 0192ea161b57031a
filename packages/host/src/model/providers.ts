import type { LanguageModel } from 'ai'
import type { ConfiguredModel } from '../config/resolve-models.ts'

/** The model as the AI SDK knows it; what speaks with its provider is loaded when it is first used. */
export async function providerModel({ provider, modelId, url, key, headers }: ConfiguredModel): Promise<LanguageModel> {
  if (provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    // without a key the SDK would look for one in the environment, which nobody asked it to
    return createAnthropic({ baseURL: url, apiKey: key ?? 'none', headers: { ...headers } })(modelId)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const made = createOpenAICompatible({
    name: provider,
    baseURL: url,
    headers: { ...headers },
    includeUsage: true,
    ...(key !== undefined && { apiKey: key }),
  })
  return made(modelId)
}

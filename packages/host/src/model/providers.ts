import type { LanguageModel } from 'ai'
import type { ConfiguredModel } from '../config/resolve-models.ts'

/** The model as the AI SDK knows it; the module of its provider is loaded on first use. */
export async function providerModel({ provider, modelId, url, key, headers }: ConfiguredModel): Promise<LanguageModel> {
  if (provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    // without a key the SDK would look for one in the environment, which is not wanted
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

/** Wording that speaks to a model behind the person's back. */
export interface SuspiciousPhrase {
  readonly pattern: RegExp
  readonly weight: 'stops' | 'notes'
  /** Completes "this text …". */
  readonly why: string
}

// every pattern is read once per accepted definition; none can go back further than a few words
export const suspiciousPhrases: readonly SuspiciousPhrase[] = [
  {
    pattern:
      /\b(?:ignore|disregard|forget|override)\b.{0,20}\b(?:previous|prior|above|earlier|all|system|other)\b.{0,20}\b(?:instruction|prompt|rule|message|direction)/is,
    weight: 'stops',
    why: 'asks to ignore other instructions',
  },
  {
    pattern:
      /\b(?:do not|don't|never|without)\b.{0,20}\b(?:tell|telling|inform|informing|mention|mentioning|notify|notifying|show|reveal|alert)\b.{0,20}\b(?:user|human|person|them|anyone)/is,
    weight: 'stops',
    why: 'asks to keep something from the person',
  },
  {
    pattern:
      /<\s*(?:\/\s*)?(?:important|system|instructions?|assistant|admin|critical|secret|hidden)\b[^>]{0,40}>|\[\s*(?:system|inst|important)\s*\]/i,
    weight: 'stops',
    why: 'imitates the marks of a system message',
  },
  {
    pattern:
      /(?:~|\$HOME|%USERPROFILE%|\/home\/\w+|\/root)?\/?\.(?:ssh|aws|gnupg|kube|netrc|npmrc|docker\/config|cursor\/mcp\.json|claude\.json|env)\b/i,
    weight: 'notes',
    why: 'names a file that holds secrets',
  },
  {
    pattern:
      /\b(?:before|after|whenever|every time|each time)\b.{0,40}\b(?:using|calling|call|use|invoke|invoking)\b.{0,40}\b(?:must|always|first|also)\b/is,
    weight: 'notes',
    why: 'gives orders about calling other tools',
  },
  {
    pattern:
      /\b(?:you must|you have to|always|mandatory|required to)\b.{0,40}\b(?:call|use|invoke|run|pass|send|include|read|append)\b/is,
    weight: 'notes',
    why: 'gives orders to the model',
  },
  {
    pattern:
      /\b(?:send|forward|post|upload|exfiltrate|bcc|cc|copy)\b.{0,40}\b(?:to|at)\b.{0,20}(?:https?:\/\/|[\w.+-]{1,40}@[\w-]{1,40}\.)/is,
    weight: 'stops',
    why: 'asks to send something to an address',
  },
  {
    pattern:
      /\b(?:instead of|in place of|rather than|replaces?|supersedes?|deprecated in favou?r of)\b.{0,20}\b(?:tool|function|server)\b/is,
    weight: 'notes',
    why: 'says that it stands for another tool',
  },
  {
    pattern:
      /\b(?:system prompt|chain of thought|conversation history|previous messages|entire conversation|api[ _-]?keys?|credentials|private key|passwords?)\b.{0,40}\b(?:in|as|into|to)\b.{0,20}\b(?:argument|parameter|field|sidenote|note|comment|input)/is,
    weight: 'stops',
    why: 'asks for secrets or the conversation as an argument',
  },
]

import { useQuery } from '@tanstack/react-query'
import { policyQuery } from '../../host/queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { Halves } from '../../parts/halves.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Screen } from '../../shell/screen.tsx'
import { plural } from '../../text/plural.ts'
import { GrantsPanel } from './grants-panel.tsx'
import { LedgerPanel } from './ledger-panel.tsx'
import { PinsPanel } from './pins-panel.tsx'
import { PolicyFilePanel } from './policy-file-panel.tsx'
import { ProofPanel } from './proof-panel.tsx'
import { RuleEditor } from './rule-editor.tsx'
import { RulesPanel } from './rules-panel.tsx'
import { SuggestionsPanel } from './suggestions-panel.tsx'
import { WhyPanel } from './why-panel.tsx'

/** Policy screen: the rules, their explanation, and the ledger. */
export function PolicyScreen() {
  const { data, error } = useQuery(policyQuery)
  return (
    <Screen title="Policy" about={data ? `${plural(data.rules.length, 'rule')} in force` : 'Looking'}>
      <Failure error={error} />
      {data?.mode === 'observe' && (
        <Notice tone="warn">The host observes: it asks nothing, enforces what is denied, and records.</Notice>
      )}
      <Halves>
        <WhyPanel />
        <RuleEditor />
      </Halves>
      {data && <RulesPanel rules={data.rules} />}
      <GrantsPanel />
      <PolicyFilePanel />
      <Halves>
        <SuggestionsPanel />
        <LedgerPanel />
      </Halves>
      <ProofPanel />
      <PinsPanel />
    </Screen>
  )
}

/** An app that wants to reach a host that it declared. */
declare const evil: { readonly origin: string }
const shown = document.createElement('p')
document.body.append(shown)
fetch(`${evil.origin}/declared`, { mode: 'no-cors' }).then(
  () => (shown.textContent = 'reached'),
  () => (shown.textContent = 'not reached'),
)

export {}

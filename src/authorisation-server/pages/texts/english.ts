/**
 * Every text of the customers' pages, in English. A word in braces stands for a value of the page; `{bank}` is the
 * bank's name on every page.
 */
export const english = {
  'page.problem': 'Problem: {title}',
  'page.skip': 'Skip to main content',
  'page.warning': '{bank} will never ask you to tell anybody your password or a one-time code.',
  'date.with-time': '{date} at {time}',

  'problem.heading': 'There is a problem',
  'problem.not-recognised': 'We did not recognise those details. Check them and try again',
  'problem.pause': 'To keep your accounts safe, we pause signing in after too many failed attempts in a row.',
  // The page of the code says the same whether or not a code was sent.
  'problem.not-digits': 'A code has digits only. Spaces and dashes do not matter',
  'problem.no-try': 'This did not count as a try.',
  'problem.wrong-code': 'That code is not right. Check it and try again',
  'problem.three-tries': 'You can try three times. Then, if your details are right, we send another code.',
  'problem.code-replaced': 'That code was not right three times',
  'problem.another-code': 'If your details are right, another code is on its way. The one before no longer works.',
  'problem.code-expired': 'That code has expired',
  'problem.send-again': 'If your details are right, you can have another one.',
  'problem.wait-for-code': 'We cannot send another code yet',
  'problem.code-stays': 'Wait a few minutes, then try again. A code that you already have still works.',
  'problem.not-finished': 'You did not finish signing in',
  'problem.begin-again': 'We shared nothing. You can try again.',
  'problem.choose-a-customer': 'Choose which customer you act for',
  'problem.choose-an-account': 'Choose at least one account, or deny access',
  'problem.unavailable': 'We cannot check your details at the moment',
  'problem.try-shortly': 'Try again shortly.',

  'form.login-name': 'Login name',
  'form.password': 'Password',
  'form.sign-in-incomplete': 'Enter your login name and your password',
  'form.code': 'One-time code',
  'form.code-hint':
    'If those details are right, a code is on its way to {sentTo}. It works once, and only for a short time.',
  'form.no-code': 'No code?',
  'form.check-details': 'Check your details',
  'form.send-again': 'Send again',
  'form.sent-again': 'If those details are right, another code is on its way. The one before no longer works.',
  'form.code-incomplete': 'Enter the one-time code',
  'form.continue': 'Continue',
  'form.go-to-sign-in': 'Go to the sign-in page',

  'journey.step': 'Step {step} of 3',
  'journey.cancel': 'Cancel and go back to {tpp}',
  'journey.greeting': 'Hello {customer}.',
  'journey.decision': 'Your decision',
  'journey.approve': 'Approve access',

  'sign-in.title': 'Sign in',
  'sign-in.heading': '{tpp} asks to see information about your accounts',
  'sign-in.introduction': 'Sign in to {bank} to choose which accounts to share. {tpp} gets nothing before you approve.',
  'sign-in.heading-funds': '{tpp} asks to check your funds',
  'sign-in.introduction-funds': 'Sign in to {bank} to see for which account. {tpp} learns nothing before you approve.',
  'sign-in.heading-again': '{tpp} asks you to confirm its access',
  'sign-in.introduction-again':
    'It already has your permission. Sign in to confirm that you still want this. What it may see stays the same.',
  'sign-in.heading-withdrawn': '{tpp} asks for the access that was withdrawn',
  'sign-in.introduction-withdrawn':
    'It was withdrawn on {date}. Sign in if you want to give it again; {tpp} gets nothing before you approve.',
  'sign-in.form': 'Sign in to {bank}',
  'sign-in.at-bank': 'You sign in on a page of {bank} itself, and then come back here.',
  'sign-in.time': 'You have {minutes} minutes to finish. After that you can start again from {tpp}.',

  'code.title': 'Enter your one-time code',
  'code.introduction': 'This makes sure that it is you who answers {tpp}.',

  'approve.title': 'Approve in your app',
  // The page says the same whether or not the app asks.
  'approve.introduction': 'If those details are right, the {bank} app on your phone now asks whether it is you.',
  'approve.goes-on': 'Open the app and answer there. Then this page continues by itself.',
  'approve.shown': 'Approve only if the app shows the same',
  'approve.check': 'I have answered in the app',
  'approve.no-request': 'No question in the app?',

  'choose-customer.title': 'Choose which customer you act for',
  'choose-customer.introduction':
    'You may act for several customers. {tpp} sees only accounts of the one that you choose.',
  'choose-customer.introduction-dashboard':
    'You may act for several customers. You see the access of the one that you choose.',

  'authorise.title': 'Choose what to share',
  'authorise.heading': 'Choose what to share with {tpp}',
  'authorise.introduction': 'Nothing is shared until you approve.',
  'authorise.incomplete': 'Approve or deny access',
  'authorise.accounts': 'Accounts',
  'authorise.accounts-hint': 'Choose those that {tpp} may see. You do not have to share all of them.',
  'authorise.accounts-missing':
    'Some of your accounts cannot be shown at the moment. To share one of them, come back later.',
  'authorise.select-all': 'Select all',
  'authorise.select-none': 'Select none',
  'authorise.deny': 'Deny access',
  'authorise.afterwards':
    'If you deny, {tpp} gets nothing. If you approve, you can withdraw access at any time in your access dashboard at {bank}.',

  // The words of the Customer Experience Guidelines, "Confirmation of Funds".
  'funds.title': 'Allow checks of your funds',
  'funds.heading': 'Allow {tpp} to check your funds',
  'funds.introduction': 'Nothing is answered until you approve.',
  'funds.account': 'Account',
  'funds.account-hint': '{tpp} named this account. It cannot be changed here.',
  'funds.would-learn': 'What {tpp} would learn',
  'funds.may-learn': 'What {tpp} may learn',
  'funds.learns': 'Whether you have enough money for an amount: yes or no, each time it asks; not your balance',
  'funds.cannot': 'See your balance or transactions, make payments, or set money aside',

  'reauthenticate.title': 'Confirm access',
  'reauthenticate.title-withdrawn': 'Give access again',
  'reauthenticate.heading': 'Confirm access for {tpp}',
  'reauthenticate.heading-withdrawn': 'Give {tpp} access again',
  'reauthenticate.given': 'You gave {tpp} this access on {date}.',
  'reauthenticate.withdrawn': 'It was withdrawn on {date}, and begins again when you approve.',
  'reauthenticate.same': 'Accounts and information stay the same.',
  'reauthenticate.incomplete': 'Approve, or choose not now',
  'reauthenticate.accounts': 'Accounts that you share',
  'reauthenticate.accounts-withdrawn': 'Accounts that you would share',
  'reauthenticate.accounts-missing':
    'Some of these accounts cannot be shown at the moment. The access to them stays the same.',
  'reauthenticate.not-now': 'Not now',
  'reauthenticate.afterwards':
    'If you choose not now, nothing changes. You can withdraw access at any time in your access dashboard at {bank}.',

  'request.would-see': 'What {tpp} would see',
  'request.may-see': 'What {tpp} may see',
  'request.how-long': 'How long',
  'request.until': 'Until {date}',
  'request.until-withdrawn': 'Until you withdraw it',
  'request.which-transactions': 'Which transactions',
  'request.history-from-to': 'Only those from {from} to {to}',
  'request.history-from': 'Those since {from}, and new ones while the access lasts',
  'request.history-to': 'All that we can show up to {to}',
  'request.history-all': 'All that we can show, however old, and new ones while the access lasts',
  'request.cannot': 'What it cannot do',
  'request.no-payments': 'Make payments, or see your password or one-time codes',

  'account.ending': 'ending {digits}',
  'account.kind-and-ending': '{kind}, {ending}',
  'product.CurrentAccount': 'Current account',
  'product.Savings': 'Savings account',
  'product.CreditCard': 'Credit card',
  'product.RewardsPayPlus': 'Rewards Pay+ account',
  'product.RoundUp': 'Round Up account',

  'withheld.restricted': 'Access to this account is restricted, so you cannot share it',
  'withheld.not-served': 'This kind of account cannot be shared',
  'withheld.not-asked': '{tpp} asks for nothing that this kind of account has',

  // The words of the Customer Experience Guidelines, "Permissions & Data Clusters".
  'cluster.account-details': 'Your account details',
  'cluster.regular-payments': 'Your regular payments',
  'cluster.transactions': 'Your account transactions',
  'cluster.statements': 'Your statements',
  'cluster.features-and-benefits': 'Your account features and benefits',
  'cluster.contact-details': 'Your contact details',

  // Each names all that a TPP can get, and nothing else: a test compares the words after the colon with the schemas.
  'permission.ReadAccountsBasic': 'Your account: its name, type and currency; not its number',
  'permission.ReadAccountsDetail':
    'Your account name, number and sort code: its name, type, currency, number and its holder’s legal entity identifier',
  'permission.ReadPAN': 'Your full card number',
  'permission.ReadBalances': 'Your account balance: amounts, times and credit limits',
  'permission.ReadBeneficiariesBasic': 'Payee agreements you have set up: only that they are there; not who is paid',
  'permission.ReadBeneficiariesDetail':
    'Details of payee agreements you have set up: names, account numbers, account aliases and banks',
  'permission.ReadStandingOrdersBasic':
    'Your standing orders: amounts, dates, how often, purposes, references and whether they are active; not who is paid',
  'permission.ReadStandingOrdersDetail':
    'Details of your standing orders: amounts, dates, how often, purposes, references, whether they are active, names, account numbers, account aliases and banks',
  'permission.ReadDirectDebits':
    'Your Direct Debits: who collects them, dates, how often, whether amounts vary, purposes, references and whether they are active',
  'permission.ReadScheduledPaymentsBasic': 'Future dated payments: amounts, dates and references; not who is paid',
  'permission.ReadScheduledPaymentsDetail':
    'Details of future dated payments: amounts, dates, references, names, account numbers, account aliases and banks',
  'permission.ReadStatementsBasic': 'Information contained in your statement: its kind and dates; not amounts',
  'permission.ReadStatementsDetail': 'Details of information contained in your statement: its kind, dates and amounts',
  'permission.ReadProducts': 'Product details: the name and kind of your account; not its fees, charges or interest',
  'permission.ReadOffers': 'Offers available on your account: rates, fees, amounts and dates',
  'permission.ReadParty':
    'Your contact details: your full name, address and legal entity identifier; not your telephone numbers or email addresses',
  'permission.ReadPartyPSU':
    'Contact details of the person who signs in: your full name and legal entity identifier; not your address, telephone numbers or email addresses',
  // Level (Basic or Detail) and direction (Credits, Debits) mean something only together.
  'transactions.in-and-out': 'Your transactions, incoming and outgoing',
  'transactions.in': 'Your incoming transactions, but not outgoing ones',
  'transactions.out': 'Your outgoing transactions, but not incoming ones',
  'transactions.basic':
    '{direction}: amounts, dates, kinds, purposes and exchange rates; not descriptions, who pays or who is paid',
  'transactions.detail':
    '{direction}, with details: amounts, dates, kinds, purposes, exchange rates, descriptions, balances, who pays and who is paid',

  // The words of Open Banking's knowledge base, "How should TPP names be displayed".
  'tpp.on-behalf-of': '{agent} on behalf of {tpp}',
  'tpp.unknown': 'An app or website that we no longer know',

  'notice.continue': 'Continue',
  'notice.start-page': 'Go to {bank}',
  'notice.dashboard': 'Go to your access dashboard',
  'notice.try-again': 'Try again',
  'notice.back': 'Go back to {tpp}',
  'notice.unknown-tpp': 'the app or website that sent you here',
  'notice.out-of-date': 'That page was out of date',
  'notice.out-of-date-text': 'You may have gone back, or have it open in another window. We changed nothing.',
  'notice.unavailable': 'This is not available at the moment',
  'notice.unavailable-text': 'Something on our side is not working. We changed nothing. Try again in a few minutes.',
  // The same whichever limit it was, and without a time: who guesses would learn from it what is counted.
  'notice.blocked': 'Signing in is paused',
  'notice.blocked-text':
    'There were too many attempts to sign in. Wait a few minutes, then try again. It is quicker in a browser in which you have signed in before. If it was not you, contact {bank}.',
  'notice.elsewhere': 'Continue in the other window',
  'notice.elsewhere-text':
    'This page was sent before, here or in another window. This time we changed nothing. Continue where the next page is open. If you cannot find it, continue here.',
  'notice.leaving': 'You are going to the sign-in page of {bank}',
  'notice.leaving-text': 'This continues by itself. If it does not, continue here.',
  'notice.locked': 'Your access to {bank} is locked',
  'notice.locked-text': 'We shared nothing. {bank} says how you can unlock it. Then you can sign in here again.',
  'notice.must-change-password': 'You need a new password',
  'notice.must-change-password-text':
    'We shared nothing. Choose a new password at {bank}. Then you can sign in here again.',
  'notice.ended': 'This page is no longer open',
  'notice.ended-text':
    'It was finished, took too long, or continued in another window or browser. To continue, start again from {tpp}.',
  'notice.another-customer': 'This access was given by somebody else',
  'notice.another-customer-text': 'Only the customer who gave {tpp} this access can confirm it. We changed nothing.',
  'notice.already-decided': 'This request has been answered already',
  'notice.already-decided-text':
    'It was approved, denied or withdrawn, perhaps in another window. Your access dashboard shows what {tpp} may see.',
  'notice.too-late': 'The time for this request has ended',
  'notice.too-late-text':
    'It was not completed in time, so {tpp} has no access. Go back to them if you still want to give access: they can ask again.',
  'notice.tpp-barred': 'We cannot continue with this request',
  'notice.tpp-barred-text':
    'At present {bank} shares nothing with {tpp}, whatever you approve. You did nothing wrong, and you do not need to do anything here. If you have questions, ask {tpp}. Your access dashboard shows who may look at your accounts.',
  'notice.no-accounts': 'There is nothing to share',
  'notice.no-accounts-text': 'You have no account here with what {tpp} asks to see. We shared nothing.',
  'notice.accounts-unavailable': 'We cannot show your accounts at the moment',
  'notice.accounts-unavailable-text':
    'You are signed in, and we shared nothing. Try again in a moment: you do not need to sign in again.',
  'notice.too-many-requests': 'Too many requests came from your network. Wait a minute, then try again from {tpp}.',
  'notice.bad-request': 'This request cannot be used',
  'notice.bad-request-text':
    'Something is wrong with the request that brought you here. You did nothing wrong. We shared nothing. Tell {tpp}, or try again from there.',

  'dashboard.sign-in': 'Sign in to your access dashboard',
  'dashboard.sign-in-introduction': 'See who may look at your accounts, and withdraw access.',
  'dashboard.code-introduction': 'This makes sure that it is you.',
  'dashboard.idle':
    'For your security, we sign you out after {minutes} minutes without activity, and after an hour in any case.',
  'dashboard.signed-out': 'You are signed out.',
  'dashboard.timed-out': 'We signed you out after {minutes} minutes without activity. Sign in again to continue.',
  'dashboard.session': 'Session',
  'dashboard.sign-out': 'Sign out',
  'dashboard.title': 'Access dashboard',
  'dashboard.heading': 'Who may look at your accounts',
  'dashboard.introduction':
    'These are the apps and websites with which you share information about your accounts at {bank}.',
  'dashboard.everything': 'Back to all access',
  'dashboard.current': 'Current access',
  'dashboard.no-current': 'Nobody has access to your accounts.',
  'dashboard.more-current': 'Show more current access',
  'dashboard.past': 'Past access',
  'dashboard.no-past': 'There is no past access.',
  'dashboard.more-past': 'Show earlier past access',
  'dashboard.withdrawn': 'You withdrew the access of {tpp}. It has ended.',
  'dashboard.since': 'Access since',
  'dashboard.since-funds': 'Checks of your funds since',
  'dashboard.lasts': 'Lasts',
  'dashboard.given': 'Given',
  'dashboard.last-used': 'Last used',
  'dashboard.never-used': 'Never',
  'dashboard.confirmed': 'You last confirmed it was you',
  'dashboard.asked': 'Information that was asked for',
  'dashboard.accounts': 'Accounts',
  'dashboard.information': 'Information',
  'dashboard.end.refused': 'Refused by you',
  'dashboard.end.withdrawn': 'Withdrawn by you',
  'dashboard.end.expired': 'Expired',
  'dashboard.end.ended-by-tpp': 'Ended by them',
  'dashboard.end.ended-by-bank': 'Ended by us',
  'dashboard.no-access': 'There is nothing to withdraw',
  'dashboard.no-access-text':
    'This access has ended already, perhaps in another window. Your dashboard shows what there is now.',
  // Not "we changed nothing": that a withdrawal was answered late does not say that it was not made.
  'dashboard.unavailable-text':
    'Something on our side is not working. Try again in a few minutes: your dashboard then shows who may look at your accounts.',

  'withdrawal.title': 'Withdraw access',
  'withdrawal.of': 'of {tpp}',
  'withdrawal.heading': 'Withdraw the access of {tpp}?',
  'withdrawal.meaning': 'What happens',
  'withdrawal.from-now': '{tpp} can no longer see your accounts at {bank}, from this moment.',
  'withdrawal.from-now-funds': '{tpp} can no longer ask {bank} about your funds, from this moment.',
  'withdrawal.seen': 'What it has seen before stays with it: ask {tpp} if you want that deleted.',
  'withdrawal.service': 'What {tpp} does for you with this information may stop working.',
  'withdrawal.final': 'You cannot undo this here. You can give access again from {tpp}.',
  'withdrawal.keep': 'Keep access',
} as const;

import type { Texts } from './language.js';

/** Every text of the customers' pages, in Welsh. */
export const welsh: Texts = {
  'page.problem': 'Problem: {title}',
  'page.skip': 'Neidio i’r prif gynnwys',
  'page.warning': 'Ni fydd {bank} byth yn gofyn i chi ddweud eich cyfrinair na chod untro wrth neb.',
  'date.with-time': '{date} am {time}',

  'problem.heading': 'Mae problem',
  'problem.not-recognised': 'Nid oeddem yn adnabod y manylion hynny. Gwiriwch nhw a rhowch gynnig arall arni',
  'problem.pause':
    'I gadw eich cyfrifon yn ddiogel, rydym yn oedi mewngofnodi ar ôl gormod o gynigion aflwyddiannus yn olynol.',
  'problem.not-digits': 'Digidau yn unig sydd mewn cod. Nid oes ots am fylchau a chysylltnodau',
  'problem.no-try': 'Nid oedd hyn yn cyfrif fel cynnig.',
  'problem.wrong-code': 'Nid yw’r cod hwnnw’n gywir. Gwiriwch ef a rhowch gynnig arall arni',
  'problem.three-tries': 'Cewch dri chynnig. Wedyn, os yw eich manylion yn gywir, byddwn yn anfon cod arall.',
  'problem.code-replaced': 'Nid oedd y cod hwnnw’n gywir deirgwaith',
  'problem.another-code':
    'Os yw eich manylion yn gywir, mae cod arall ar ei ffordd. Nid yw’r un blaenorol yn gweithio mwyach.',
  'problem.code-expired': 'Mae’r cod hwnnw wedi dod i ben',
  'problem.send-again': 'Os yw eich manylion yn gywir, gallwch gael un arall.',
  'problem.wait-for-code': 'Ni allwn anfon cod arall eto',
  'problem.code-stays':
    'Arhoswch ychydig funudau, yna rhowch gynnig arall arni. Mae cod sydd gennych yn dal i weithio.',
  'problem.not-finished': 'Ni wnaethoch orffen mewngofnodi',
  'problem.begin-again': 'Ni wnaethom rannu dim. Gallwch roi cynnig arall arni.',
  'problem.choose-a-customer': 'Dewiswch ar ran pwy rydych yn gweithredu',
  'problem.choose-an-account': 'Dewiswch o leiaf un cyfrif, neu gwrthodwch fynediad',
  'problem.unavailable': 'Ni allwn wirio eich manylion ar hyn o bryd',
  'problem.try-shortly': 'Rhowch gynnig arall arni cyn bo hir.',

  'form.login-name': 'Enw mewngofnodi',
  'form.password': 'Cyfrinair',
  'form.sign-in-incomplete': 'Rhowch eich enw mewngofnodi a’ch cyfrinair',
  'form.code': 'Cod untro',
  'form.code-hint':
    'Os yw’r manylion hynny’n gywir, mae cod ar ei ffordd i {sentTo}. Mae’n gweithio unwaith, ac am gyfnod byr yn unig.',
  'form.no-code': 'Dim cod?',
  'form.check-details': 'Gwiriwch eich manylion',
  'form.send-again': 'Anfon eto',
  'form.sent-again':
    'Os yw’r manylion hynny’n gywir, mae cod arall ar ei ffordd. Nid yw’r un blaenorol yn gweithio mwyach.',
  'form.code-incomplete': 'Rhowch y cod untro',
  'form.continue': 'Parhau',
  'form.go-to-sign-in': 'Mynd i’r dudalen fewngofnodi',

  'journey.step': 'Cam {step} o 3',
  'journey.cancel': 'Canslo a mynd yn ôl i {tpp}',
  'journey.greeting': 'Helo {customer}.',
  'journey.decision': 'Eich penderfyniad',
  'journey.approve': 'Cymeradwyo mynediad',

  'sign-in.title': 'Mewngofnodi',
  'sign-in.heading': 'Mae {tpp} yn gofyn am weld gwybodaeth am eich cyfrifon',
  'sign-in.introduction':
    'Mewngofnodwch i {bank} i ddewis pa gyfrifon i’w rhannu. Nid yw {tpp} yn cael dim cyn i chi gymeradwyo.',
  'sign-in.heading-funds': 'Mae {tpp} yn gofyn am wirio eich arian',
  'sign-in.introduction-funds':
    'Mewngofnodwch i {bank} i weld ar gyfer pa gyfrif. Nid yw {tpp} yn dysgu dim cyn i chi gymeradwyo.',
  'sign-in.heading-again': 'Mae {tpp} yn gofyn i chi gadarnhau ei fynediad',
  'sign-in.introduction-again':
    'Mae ganddo eich caniatâd yn barod. Mewngofnodwch i gadarnhau mai chi sydd eisiau hyn o hyd; nid yw’r hyn y caiff ei weld yn newid.',
  'sign-in.heading-withdrawn': 'Mae {tpp} yn gofyn am y mynediad a dynnwyd yn ôl',
  'sign-in.introduction-withdrawn':
    'Fe’i tynnwyd yn ôl ar {date}. Mewngofnodwch os ydych am ei roi eto; nid yw {tpp} yn cael dim cyn i chi gymeradwyo.',
  'sign-in.form': 'Mewngofnodi i {bank}',
  'sign-in.at-bank': 'Byddwch yn mewngofnodi ar dudalen {bank} ei hun, ac yna’n dod yn ôl yma.',
  'sign-in.time': 'Mae gennych {minutes} munud i orffen. Ar ôl hynny gallwch ddechrau eto o {tpp}.',

  'code.title': 'Rhowch eich cod untro',
  'code.introduction': 'Mae hyn yn sicrhau mai chi sy’n ateb {tpp}.',

  'approve.title': 'Cymeradwyo yn eich ap',
  'approve.introduction': 'Os yw’r manylion hynny’n gywir, mae ap {bank} ar eich ffôn yn gofyn nawr ai chi sydd yno.',
  'approve.goes-on': 'Agorwch yr ap ac atebwch yno. Wedyn bydd y dudalen hon yn mynd ymlaen ei hun.',
  'approve.shown': 'Cymeradwywch dim ond os yw’r ap yn dangos yr un peth',
  'approve.check': 'Rwyf wedi ateb yn yr ap',
  'approve.no-request': 'Dim cwestiwn yn yr ap?',

  'choose-customer.title': 'Dewiswch ar ran pwy rydych yn gweithredu',
  'choose-customer.introduction':
    'Cewch weithredu ar ran sawl cwsmer. Dim ond cyfrifon yr un a ddewiswch y mae {tpp} yn eu gweld.',
  'choose-customer.introduction-dashboard':
    'Cewch weithredu ar ran sawl cwsmer. Rydych yn gweld mynediad yr un a ddewiswch.',

  'authorise.title': 'Dewiswch beth i’w rannu',
  'authorise.heading': 'Dewiswch beth i’w rannu â {tpp}',
  'authorise.introduction': 'Ni chaiff dim ei rannu nes i chi gymeradwyo.',
  'authorise.incomplete': 'Cymeradwywch neu gwrthodwch fynediad',
  'authorise.accounts': 'Cyfrifon',
  'authorise.accounts-hint': 'Dewiswch y rhai y caiff {tpp} eu gweld. Nid oes rhaid i chi eu rhannu i gyd.',
  'authorise.accounts-missing':
    'Ni ellir dangos rhai o’ch cyfrifon ar hyn o bryd. I rannu un ohonynt, dewch yn ôl yn nes ymlaen.',
  'authorise.select-all': 'Dewis pob un',
  'authorise.select-none': 'Dewis dim un',
  'authorise.deny': 'Gwrthod mynediad',
  'authorise.afterwards':
    'Os byddwch yn gwrthod, nid yw {tpp} yn cael dim. Os byddwch yn cymeradwyo, gallwch dynnu’r mynediad yn ôl unrhyw bryd yn eich dangosfwrdd mynediad yn {bank}.',

  'funds.title': 'Caniatáu gwirio eich arian',
  'funds.heading': 'Caniatáu i {tpp} wirio eich arian',
  'funds.introduction': 'Ni chaiff dim ei ateb nes i chi gymeradwyo.',
  'funds.account': 'Cyfrif',
  'funds.account-hint': '{tpp} a enwodd y cyfrif hwn. Ni ellir ei newid yma.',
  'funds.would-learn': 'Beth fyddai {tpp} yn ei ddysgu',
  'funds.may-learn': 'Beth y caiff {tpp} ei ddysgu',
  'funds.learns': 'A oes gennych ddigon o arian ar gyfer swm: oes neu nac oes, bob tro y mae’n gofyn; nid eich balans',
  'funds.cannot': 'Gweld eich balans na’ch trafodion, gwneud taliadau, na neilltuo arian',

  'reauthenticate.title': 'Cadarnhau mynediad',
  'reauthenticate.title-withdrawn': 'Rhoi mynediad eto',
  'reauthenticate.heading': 'Cadarnhau mynediad i {tpp}',
  'reauthenticate.heading-withdrawn': 'Rhoi mynediad i {tpp} eto',
  'reauthenticate.given': 'Rhoesoch y mynediad hwn i {tpp} ar {date}.',
  'reauthenticate.withdrawn': 'Fe’i tynnwyd yn ôl ar {date}, ac mae’n dechrau eto pan fyddwch yn cymeradwyo.',
  'reauthenticate.same': 'Nid yw’r cyfrifon na’r wybodaeth yn newid.',
  'reauthenticate.incomplete': 'Cymeradwywch, neu dewiswch nid nawr',
  'reauthenticate.accounts': 'Y cyfrifon rydych yn eu rhannu',
  'reauthenticate.accounts-withdrawn': 'Y cyfrifon y byddech yn eu rhannu',
  'reauthenticate.accounts-missing':
    'Ni ellir dangos rhai o’r cyfrifon hyn ar hyn o bryd. Mae’r mynediad atynt yn aros yr un fath.',
  'reauthenticate.not-now': 'Nid nawr',
  'reauthenticate.afterwards':
    'Os dewiswch nid nawr, nid oes dim yn newid. Gallwch dynnu’r mynediad yn ôl unrhyw bryd yn eich dangosfwrdd mynediad yn {bank}.',

  'request.would-see': 'Beth fyddai {tpp} yn ei weld',
  'request.may-see': 'Beth gaiff {tpp} ei weld',
  'request.how-long': 'Am ba hyd',
  'request.until': 'Tan {date}',
  'request.until-withdrawn': 'Nes i chi ei dynnu’n ôl',
  'request.which-transactions': 'Pa drafodion',
  'request.history-from-to': 'Dim ond y rhai o {from} i {to}',
  'request.history-from': 'Y rhai ers {from}, a rhai newydd tra bydd y mynediad yn para',
  'request.history-to': 'Popeth y gallwn ei ddangos hyd at {to}',
  'request.history-all': 'Popeth y gallwn ei ddangos, waeth pa mor hen, a rhai newydd tra bydd y mynediad yn para',
  'request.cannot': 'Beth na all ei wneud',
  'request.no-payments': 'Gwneud taliadau, na gweld eich cyfrinair na’ch codau untro',

  'account.ending': 'yn gorffen â {digits}',
  'account.kind-and-ending': '{kind}, {ending}',
  'product.CurrentAccount': 'Cyfrif cyfredol',
  'product.Savings': 'Cyfrif cynilo',
  'product.CreditCard': 'Cerdyn credyd',
  'product.RewardsPayPlus': 'Cyfrif Rewards Pay+',
  'product.RoundUp': 'Cyfrif Round Up',

  'withheld.restricted': 'Mae mynediad i’r cyfrif hwn wedi’i gyfyngu, felly ni allwch ei rannu',
  'withheld.not-served': 'Ni ellir rhannu’r math hwn o gyfrif',
  'withheld.not-asked': 'Nid yw {tpp} yn gofyn am ddim sydd gan y math hwn o gyfrif',

  'cluster.account-details': 'Manylion eich cyfrif',
  'cluster.regular-payments': 'Eich taliadau rheolaidd',
  'cluster.transactions': 'Trafodion eich cyfrif',
  'cluster.statements': 'Eich cyfriflenni',
  'cluster.features-and-benefits': 'Nodweddion a buddion eich cyfrif',
  'cluster.contact-details': 'Eich manylion cyswllt',

  'permission.ReadAccountsBasic': 'Eich cyfrif: ei enw, ei fath a’i arian cyfred; nid ei rif',
  'permission.ReadAccountsDetail':
    'Enw, rhif a chod didoli eich cyfrif: ei enw, ei fath, ei arian cyfred, ei rif a dynodwr endid cyfreithiol ei ddeiliad',
  'permission.ReadPAN': 'Rhif llawn eich cerdyn',
  'permission.ReadBalances': 'Balans eich cyfrif: symiau, amseroedd a therfynau credyd',
  'permission.ReadBeneficiariesBasic':
    'Cytundebau taleion rydych wedi’u trefnu: dim ond eu bod yno; nid pwy sy’n cael ei dalu',
  'permission.ReadBeneficiariesDetail':
    'Manylion cytundebau taleion rydych wedi’u trefnu: enwau, rhifau cyfrifon, enwau eraill ar gyfrifon a banciau',
  'permission.ReadStandingOrdersBasic':
    'Eich archebion sefydlog: symiau, dyddiadau, pa mor aml, dibenion, cyfeirnodau ac a ydynt yn weithredol; nid pwy sy’n cael ei dalu',
  'permission.ReadStandingOrdersDetail':
    'Manylion eich archebion sefydlog: symiau, dyddiadau, pa mor aml, dibenion, cyfeirnodau, a ydynt yn weithredol, enwau, rhifau cyfrifon, enwau eraill ar gyfrifon a banciau',
  'permission.ReadDirectDebits':
    'Eich Debydau Uniongyrchol: pwy sy’n eu casglu, dyddiadau, pa mor aml, a yw’r symiau’n amrywio, dibenion, cyfeirnodau ac a ydynt yn weithredol',
  'permission.ReadScheduledPaymentsBasic':
    'Taliadau at y dyfodol: symiau, dyddiadau a chyfeirnodau; nid pwy sy’n cael ei dalu',
  'permission.ReadScheduledPaymentsDetail':
    'Manylion taliadau at y dyfodol: symiau, dyddiadau, cyfeirnodau, enwau, rhifau cyfrifon, enwau eraill ar gyfrifon a banciau',
  'permission.ReadStatementsBasic': 'Gwybodaeth yn eich cyfriflen: ei math a’i dyddiadau; nid symiau',
  'permission.ReadStatementsDetail': 'Manylion y wybodaeth yn eich cyfriflen: ei math, ei dyddiadau a’i symiau',
  'permission.ReadProducts': 'Manylion y cynnyrch: enw a math eich cyfrif; nid ei ffioedd, ei gostau na’i log',
  'permission.ReadOffers': 'Cynigion sydd ar gael ar eich cyfrif: cyfraddau, ffioedd, symiau a dyddiadau',
  'permission.ReadParty':
    'Eich manylion cyswllt: eich enw llawn, eich cyfeiriad a’ch dynodwr endid cyfreithiol; nid eich rhifau ffôn na’ch cyfeiriadau e-bost',
  'permission.ReadPartyPSU':
    'Manylion cyswllt y person sy’n mewngofnodi: eich enw llawn a’ch dynodwr endid cyfreithiol; nid eich cyfeiriad, rhifau ffôn na chyfeiriadau e-bost',
  'transactions.in-and-out': 'Eich trafodion, i mewn ac allan',
  'transactions.in': 'Eich trafodion i mewn, ond nid rhai allan',
  'transactions.out': 'Eich trafodion allan, ond nid rhai i mewn',
  'transactions.basic':
    '{direction}: symiau, dyddiadau, mathau, dibenion a chyfraddau cyfnewid; nid disgrifiadau, pwy sy’n talu na phwy sy’n cael ei dalu',
  'transactions.detail':
    '{direction}, gyda manylion: symiau, dyddiadau, mathau, dibenion, cyfraddau cyfnewid, disgrifiadau, balansau, pwy sy’n talu a phwy sy’n cael ei dalu',

  'tpp.on-behalf-of': '{agent} ar ran {tpp}',
  'tpp.unknown': 'Ap neu wefan nad ydym yn ei adnabod mwyach',

  'notice.continue': 'Parhau',
  'notice.start-page': 'Mynd i {bank}',
  'notice.dashboard': 'Mynd i’ch dangosfwrdd mynediad',
  'notice.try-again': 'Rhoi cynnig arall arni',
  'notice.back': 'Mynd yn ôl i {tpp}',
  'notice.unknown-tpp': 'yr ap neu’r wefan a’ch anfonodd yma',
  'notice.out-of-date': 'Roedd y dudalen honno wedi dyddio',
  'notice.out-of-date-text':
    'Efallai eich bod wedi mynd yn ôl, neu ei bod ar agor mewn ffenestr arall. Ni wnaethom newid dim.',
  'notice.unavailable': 'Nid yw hyn ar gael ar hyn o bryd',
  'notice.unavailable-text':
    'Nid yw rhywbeth ar ein hochr ni yn gweithio. Ni wnaethom newid dim. Rhowch gynnig arall arni mewn ychydig funudau.',
  'notice.blocked': 'Mae mewngofnodi wedi’i oedi',
  'notice.blocked-text':
    'Bu gormod o gynigion i fewngofnodi. Arhoswch ychydig funudau, yna rhowch gynnig arall arni. Mae’n gynt mewn porwr rydych wedi mewngofnodi ynddo o’r blaen. Os nad chi oedd yno, cysylltwch â {bank}.',
  'notice.elsewhere': 'Ewch ymlaen yn y ffenestr arall',
  'notice.elsewhere-text':
    'Anfonwyd y dudalen hon o’r blaen, yma neu mewn ffenestr arall. Y tro hwn ni wnaethom newid dim. Ewch ymlaen lle mae’r dudalen nesaf ar agor. Os nad yw ar agor yn unman, parhewch yma.',
  'notice.leaving': 'Rydych yn mynd i dudalen fewngofnodi {bank}',
  'notice.leaving-text': 'Mae hyn yn mynd ymlaen ei hun. Os nad yw, parhewch yma.',
  'notice.locked': 'Mae eich mynediad i {bank} wedi’i gloi',
  'notice.locked-text':
    'Ni wnaethom rannu dim. Mae {bank} yn dweud sut y gallwch ei ddatgloi. Wedyn gallwch fewngofnodi yma eto.',
  'notice.must-change-password': 'Mae angen cyfrinair newydd arnoch',
  'notice.must-change-password-text':
    'Ni wnaethom rannu dim. Dewiswch gyfrinair newydd yn {bank}. Wedyn gallwch fewngofnodi yma eto.',
  'notice.ended': 'Nid yw’r dudalen hon ar agor mwyach',
  'notice.ended-text':
    'Cafodd ei gorffen, cymerodd ormod o amser, neu aeth ymlaen mewn ffenestr neu borwr arall. I fynd ymlaen, dechreuwch eto o {tpp}.',
  'notice.another-customer': 'Rhywun arall a roddodd y mynediad hwn',
  'notice.another-customer-text':
    'Dim ond y cwsmer a roddodd y mynediad hwn i {tpp} all ei gadarnhau. Ni wnaethom newid dim.',
  'notice.already-decided': 'Mae’r cais hwn wedi’i ateb yn barod',
  'notice.already-decided-text':
    'Cafodd ei gymeradwyo, ei wrthod neu ei dynnu’n ôl, mewn ffenestr arall efallai. Mae eich dangosfwrdd mynediad yn dangos beth gaiff {tpp} ei weld.',
  'notice.too-late': 'Mae’r amser ar gyfer y cais hwn ar ben',
  'notice.too-late-text':
    'Ni chafodd ei gwblhau mewn pryd, felly nid oes gan {tpp} fynediad. Ewch yn ôl atyn nhw os ydych yn dal am roi mynediad: gallant ofyn eto.',
  'notice.tpp-barred': 'Ni allwn fwrw ymlaen â’r cais hwn',
  'notice.tpp-barred-text':
    'Ar hyn o bryd nid yw {bank} yn rhannu dim â {tpp}, beth bynnag y byddwch yn ei gymeradwyo. Nid oherwydd dim a wnaethoch chi y mae hyn, ac nid oes angen i chi wneud dim yma. Os oes gennych gwestiynau, gofynnwch i {tpp}. Mae eich dangosfwrdd mynediad yn dangos pwy gaiff edrych ar eich cyfrifon.',
  'notice.no-accounts': 'Nid oes dim i’w rannu',
  'notice.no-accounts-text':
    'Nid oes gennych gyfrif yma sydd â’r hyn y mae {tpp} yn gofyn am ei weld. Ni wnaethom rannu dim.',
  'notice.accounts-unavailable': 'Ni allwn ddangos eich cyfrifon ar hyn o bryd',
  'notice.accounts-unavailable-text':
    'Rydych wedi mewngofnodi, ac nid ydym wedi rhannu dim. Rhowch gynnig arall arni ymhen ychydig: nid oes angen mewngofnodi eto.',
  'notice.too-many-requests': 'Daeth gormod o geisiadau o’ch rhwydwaith. Arhoswch funud a cheisiwch eto o {tpp}.',
  'notice.bad-request': 'Ni ellir defnyddio’r cais hwn',
  'notice.bad-request-text':
    'Mae rhywbeth o’i le ar y cais a ddaeth â chi yma; nid eich bai chi ydyw. Ni wnaethom rannu dim. Dywedwch wrth {tpp}, neu rhowch gynnig arall arni oddi yno.',

  'dashboard.sign-in': 'Mewngofnodi i’ch dangosfwrdd mynediad',
  'dashboard.sign-in-introduction': 'Gweld pwy gaiff edrych ar eich cyfrifon, a thynnu mynediad yn ôl.',
  'dashboard.code-introduction': 'Mae hyn yn sicrhau mai chi sydd yno.',
  'dashboard.idle':
    'Er eich diogelwch, rydym yn eich allgofnodi ar ôl {minutes} munud heb weithgarwch, ac ar ôl awr beth bynnag.',
  'dashboard.signed-out': 'Rydych wedi allgofnodi.',
  'dashboard.timed-out':
    'Cawsoch eich allgofnodi ar ôl {minutes} munud heb weithgarwch. Mewngofnodwch eto i fynd ymlaen.',
  'dashboard.session': 'Sesiwn',
  'dashboard.sign-out': 'Allgofnodi',
  'dashboard.title': 'Dangosfwrdd mynediad',
  'dashboard.heading': 'Pwy gaiff edrych ar eich cyfrifon',
  'dashboard.introduction': 'Dyma’r apiau a’r gwefannau rydych yn rhannu gwybodaeth â nhw am eich cyfrifon yn {bank}.',
  'dashboard.everything': 'Yn ôl i’r holl fynediad',
  'dashboard.current': 'Mynediad cyfredol',
  'dashboard.no-current': 'Nid oes gan neb fynediad i’ch cyfrifon.',
  'dashboard.more-current': 'Dangos rhagor o fynediad cyfredol',
  'dashboard.past': 'Mynediad blaenorol',
  'dashboard.no-past': 'Nid oes mynediad blaenorol.',
  'dashboard.more-past': 'Dangos mynediad blaenorol cynharach',
  'dashboard.withdrawn': 'Rydych wedi tynnu mynediad {tpp} yn ôl. Mae wedi dod i ben.',
  'dashboard.since': 'Mynediad ers',
  'dashboard.since-funds': 'Gwirio eich arian ers',
  'dashboard.lasts': 'Yn para',
  'dashboard.given': 'Rhoddwyd',
  'dashboard.last-used': 'Defnyddiwyd ddiwethaf',
  'dashboard.never-used': 'Erioed',
  'dashboard.confirmed': 'Y tro diwethaf i chi gadarnhau mai chi oedd yno',
  'dashboard.asked': 'Y wybodaeth y gofynnwyd amdani',
  'dashboard.accounts': 'Cyfrifon',
  'dashboard.information': 'Gwybodaeth',
  'dashboard.end.refused': 'Gwrthodwyd gennych chi',
  'dashboard.end.withdrawn': 'Tynnwyd yn ôl gennych chi',
  'dashboard.end.expired': 'Daeth i ben',
  'dashboard.end.ended-by-tpp': 'Rhoddwyd terfyn arno ganddyn nhw',
  'dashboard.end.ended-by-bank': 'Rhoddwyd terfyn arno gennym ni',
  'dashboard.no-access': 'Nid oes dim i’w dynnu’n ôl',
  'dashboard.no-access-text':
    'Mae’r mynediad hwn wedi dod i ben yn barod, mewn ffenestr arall efallai. Mae eich dangosfwrdd yn dangos beth sydd yno nawr.',
  'dashboard.unavailable-text':
    'Nid yw rhywbeth ar ein hochr ni yn gweithio. Rhowch gynnig arall arni mewn ychydig funudau: bydd eich dangosfwrdd wedyn yn dangos pwy gaiff edrych ar eich cyfrifon.',

  'withdrawal.title': 'Tynnu mynediad yn ôl',
  'withdrawal.of': '– {tpp}',
  'withdrawal.heading': 'Tynnu mynediad {tpp} yn ôl?',
  'withdrawal.meaning': 'Beth sy’n digwydd',
  'withdrawal.from-now': 'Ni all {tpp} weld eich cyfrifon yn {bank} mwyach, o’r eiliad hon.',
  'withdrawal.from-now-funds': 'Ni all {tpp} ofyn i {bank} am eich arian mwyach, o’r eiliad hon.',
  'withdrawal.seen':
    'Mae’r hyn y mae wedi’i weld o’r blaen yn aros ganddo: gofynnwch i {tpp} os ydych am i hynny gael ei ddileu.',
  'withdrawal.service': 'Gall yr hyn y mae {tpp} yn ei wneud i chi â’r wybodaeth hon roi’r gorau i weithio.',
  'withdrawal.final': 'Ni allwch ddadwneud hyn yma. Gallwch roi mynediad eto o {tpp}.',
  'withdrawal.keep': 'Cadw mynediad',
};

"""Words that say nothing by themselves: articles, prepositions, pronouns, auxiliaries.

The lists are short on purpose. A key word that is a stop word counts for nothing, and the long
lists that search engines use hold words that answers are made of: new, state, ten, fire, computer,
even the names of companies. Left out for the same reason are the words that also name something
(May, Will, US) and all numbers. Single letters are what an apostrophe leaves behind. Korean
attaches its particles to words: see :mod:`qampaign.judging.key.stems`.
"""

STOP_WORDS = {
    "ar": """
        في من إلى الى على عن مع بين عند منذ حتى خلال ضد حول دون قبل بعد و أو او ثم لكن بل أم إن أن
        ان إذا كما لأن حيث هو هي هم هن هما أنا نحن أنت أنتم هذا هذه هذان هؤلاء ذلك تلك أولئك الذي
        التي الذين اللاتي ما ماذا متى أين كيف لماذا هل كان كانت كانوا يكون تكون ليس ليست قد لقد سوف
        لا لم لن أيضا فقط كل بعض غير به بها له لها لهم فيه فيها منه منها عليه عليها إليه إليها
    """,
    "cs": """
        a i ale nebo ani že když až či jako protože však jestli v ve na z ze do od ode k ke ku s se
        si o u po při pro za před přes pod nad mezi bez podle kolem během ten ta to ti ty toho té
        tomu tím těch těm tento tato toto tyto této tohoto on ona ono oni ony já my vy ho mu jej
        jeho její jejich ji jí jim jimi nich ním ní mě mi mne mně nás nám vás vám můj moje náš naše
        váš vaše svůj svá své svého svou který která které kteří kterou kterého kdo co kde kdy jak
        proč je jsou jsem jsi jsme jste byl byla bylo byli byly být bude budou by bych není nejsou
        ne už také jen pouze tak tam zde velmi
    """,
    "de": """
        der die das den dem des ein eine einer eines einem einen und oder aber sondern denn dass daß
        weil wenn als ob wie so an am ans auf aus bei beim bis durch für gegen hinter in im ins mit
        nach neben ohne seit über um unter von vom vor während wegen zu zum zur zwischen ab außer
        ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen mein meine meiner meinem
        meinen dein deine deiner sein seine seiner seines seinem seinen ihre ihrer ihres ihrem ihren
        unser unsere unserer euer eure sich selbst dieser diese dieses diesem diesen jener jene
        jenes welcher welche welches wer was wo wann warum ist sind war waren bin bist seid gewesen
        sei wäre hat haben habe hatte hatten hast habt wird werden wurde wurden worden würde kann
        können konnte muss müssen soll sollen nicht kein keine keiner keinem keinen auch nur noch
        schon sehr da dann hier dort man nun s
    """,
    "en": """
        a an the and or but nor if than then that this these those of in on at by for with about
        against between into through during before after to from up down out off over under as it
        its he him his she her hers they them their theirs i me my mine we our ours you your yours
        himself herself itself themselves myself ourselves yourself who whom whose which what where
        when why how is are was were be been being am has have had having do does did doing would
        should could can shall must might not no so too very just there here also only own same such
        both each other some any s t d ll re ve m
    """,
    "es": """
        el la los las lo un una unos unas y e o u pero sino ni que si como de del a al en con por
        para sin sobre entre hasta desde hacia durante según contra ante tras yo tú él ella ello
        ellos ellas nosotros nosotras vosotros usted ustedes me te se le les nos os mi mis tu tus su
        sus nuestro nuestra nuestros nuestras suyo suya mí ti sí este esta estos estas esto ese esa
        esos esas eso aquel aquella aquellos aquellas aquello quien quienes cual cuales cuyo cuya
        qué quién cuál cuándo dónde cómo donde cuando es son era eran fue fueron ser sido siendo soy
        somos está están estaba estaban estar estado ha han había habían haber he hay hubo tiene no
        ya muy más también sólo solo porque aunque mientras pues
    """,
    "fi": """
        ja tai sekä mutta vaan että jos kun kuin koska vaikka jotta siis eli ei en et emme ette
        eivät eikä on oli ovat olivat olla ollut olleet olen olet olemme olette olisi minä sinä hän
        se me te he ne minun sinun hänen sen meidän teidän heidän niiden minua häntä sitä hänelle
        siitä siinä siihen sille sillä tämä tuo nämä nuo tämän tuon näiden tätä tässä tästä tähän
        joka jotka jonka joiden jota jossa josta johon mikä mitä missä mistä kuka ketä milloin miksi
        miten myös vain jo vielä niin hyvin kanssa
    """,
    "fr": """
        le la les l un une des du de d au aux à en dans par pour sur sous avec sans entre vers chez
        depuis pendant contre après avant et ou mais donc or ni car que qu si comme quand lorsque je
        j tu il elle on nous vous ils elles me m te t se s lui leur leurs eux y moi toi soi mon ma
        mes ton ta tes son sa ses notre nos votre vos ce cet cette ces c cela ça ceci celui celle
        ceux celles qui quoi dont où quel quelle quels quelles lequel laquelle est sont était
        étaient être été étant suis sommes fut furent sera seront serait a ont avait avaient avoir
        ai as avons avez eu ne n pas plus non aussi très même
    """,
    "hi": """
        का के की को से में पर ने तक और या एवं तथा लेकिन परंतु कि जो जब तो अगर यदि क्योंकि भी ही न
        नहीं मत वह वे यह ये इस उस इन उन इसका इसके इसकी उसका उसके उसकी उनका उनके उनकी इनका मैं हम तुम
        आप मेरा मेरे मेरी हमारा अपना अपने अपनी जिस जिसे जिसका जिसके जिसकी जिन कौन क्या कब कहाँ कहां
        कैसे क्यों है हैं था थे थी थीं हो होता होते होती हुआ हुए हुई होना गया गए गई लिए साथ द्वारा
        वाला वाले वाली
    """,
    "hu": """
        a az és is vagy de hanem ha hogy mert mint mivel pedig sem se nem ne egy ez azt ezt azok
        ezek annak ennek abban ebben arra erre attól ettől én te ő mi ti ők engem őt minket neki
        nekik aki akik akit ami amit amely amelyek amelyet ahol amikor ki hol mikor miért hogyan
        milyen van vannak volt voltak lesz lenni lett legyen már még csak igen nagyon között után
        előtt alatt felett mellett szerint által közben miatt felé óta
    """,
    "it": """
        il lo la i gli le l un uno una di del dello della dell dei degli delle a al allo alla all ai
        agli alle da dal dallo dalla dall dai dagli dalle in nel nello nella nell nei negli nelle
        con col su sul sullo sulla sull sui sugli sulle per tra fra e ed o od ma né se che chi cui
        come quando dove perché mentre io tu egli lui lei esso essa noi voi essi esse loro mi ti si
        ci vi ne me te sé mio mia miei mie tuo tua suo sua suoi sue nostro nostra nostri nostre
        vostro questo questa questi queste quello quella quelli quelle quel quei quegli quell quale
        quali è sono era erano essere stato stata stati state fu furono sarà sia ha hanno aveva
        avevano avere ho hai abbiamo avuto non più anche molto solo d c s
    """,
    "ko": """
        그리고 그러나 하지만 또는 혹은 및 그 그는 그녀는 그의 그녀의 이는 것 것은 것이
        것을 때문에 위해 위한 대한 대해 통해 의해 있는 있다 있습니다 있었다 하는 하다
        했다 합니다 된 되는 된다 되었다 아니라 아니다 또한 매우 더
    """,
    "nl": """
        de het een en of maar want dat die dit deze als dan om te van in op aan bij met voor door
        over onder uit naar tot tegen tussen zonder na sinds tijdens achter boven ik jij je hij zij
        ze wij we jullie u mij me hem haar ons hen hun mijn jouw zijn onze uw zich zelf wie wat waar
        wanneer waarom hoe welke welk is was waren ben bent wees geweest heb hebt heeft hebben had
        hadden gehad wordt worden werd werden geworden zal zullen zou zouden kan kunnen kon moet er
        hier daar niet geen ook nog al zo zeer slechts toen t s n
    """,
    "pl": """
        a i oraz lub albo ale lecz ani że żeby bo gdy jeśli jak jako niż czy więc w we na z ze do od
        ode ku o u po przy dla za przed przez pod nad między bez według podczas wobec ten ta to ci
        te tego tej temu tym tych tymi tę tą on ona ono oni one ja ty my wy go mu jej jego ich im
        nim nich nią niego niej mnie mi nas nam was wam mój moja moje nasz nasza nasze wasz swój
        swoja swoje swego swojej się sobie siebie który która które którzy której którego którym
        których kto co gdzie kiedy dlaczego jest są jestem jesteś był była było byli były być będzie
        będą został została zostało nie już też także tylko tak tam tu bardzo
    """,
    "pt": """
        o a os as um uma uns umas de do da dos das em no na nos nas num numa por pelo pela pelos
        pelas para com sem sob sobre entre até desde contra após ante e ou mas nem que se como
        quando porque pois ao à aos às eu tu ele ela eles elas nós vós você vocês me te lhe lhes lo
        la nos vos meu minha meus minhas teu tua seu sua seus suas nosso nossa nossos nossas dele
        dela deles delas este esta estes estas isto esse essa esses essas isso aquele aquela aqueles
        aquelas aquilo quem qual quais cujo cuja onde quê é são era eram foi foram ser sido sendo
        sou somos está estão estava estavam estar tem têm tinha tinham ter há havia haver não já
        muito mais também só d n
    """,
    "ro": """
        un o unui unei unor al a ai ale lui cel cea cei cele și sau dar ci nici că dacă ca de din la
        în într pe cu fără pentru prin peste sub spre între până după înainte despre către eu tu el
        ea noi voi ei ele mă te se ne vă îl îi le mi ți și-a lor meu mea mei mele tău ta său sa săi
        sale nostru noastră noștri noastre acest această acești aceste acesta aceasta aceștia
        acestea acel acea acei acele care cine ce cum când unde este e sunt era erau fi fost fiind
        sînt am ai are au avea avut aș ar vom vor va nu mai foarte doar tot s l i
    """,
    "ru": """
        и а но или либо ни да что чтобы если как когда потому так же ли бы в во на с со из изо к ко
        от ото до по за у о об обо при про для без под подо над между перед через около после среди
        ради я ты он она оно мы вы они меня тебя его её ее нас вас их мне тебе ему ей нам вам им
        мной тобой ею ими нём нем ней них него неё нее ним ними себя себе собой мой моя моё мое мои
        твой наш наша наше наши ваш ваша свой своя своё свое свои своего своей своих этот эта это
        эти этого этой этому этом этим этих тот та то те того той тому тем тех который которая
        которое которые которого которой которых котором кто чего где куда почему есть был была было
        были быть будет будут является не нет уже ещё еще тоже также только очень там здесь
    """,  # noqa: RUF001
    "tr": """
        ve veya ya ile ama fakat ancak ki de da ise eğer çünkü gibi kadar için göre sonra önce bir
        bu şu o bunlar şunlar onlar bunun şunun onun onların bunu onu buna ona bunda onda bundan
        ondan ben sen biz siz benim senin bizim sizin beni seni bizi sizi bana sana bize size kendi
        kendisi kim ne nerede nereye nasıl neden niçin hangi mi mı mu mü değil dir dır dur dür idi
        var yok olan olarak oldu olduğu olur olmak her çok daha en hem tarafından
    """,  # noqa: RUF001
    "uk": """
        і й та а але або чи ні що щоб якщо як коли бо тому так же ж би б у в на з із зі до від од по
        за о об про при для без під над між перед через біля після серед я ти він вона воно ми ви
        вони мене тебе його її нас вас їх мені тобі йому їй нам вам їм мною тобою нею ними ним ній
        них нього неї себе собі собою мій моя моє мої твій наш наша наше наші ваш свій своя своє
        свої свого своєї своїх цей ця це ці цього цієї цьому цим цих той те ті того тієї тим тих
        який яка яке які якого якої яких якому хто чого де куди чому є був була було були бути буде
        будуть не немає вже ще також тільки лише дуже там тут
    """,  # noqa: RUF001
    "zh": "的 了 吗 呢 吧 嗎",
}
"""By language; in Japanese a hiragana is one."""

"""Words that say nothing by themselves: articles, prepositions, pronouns, auxiliaries.

The lists are short on purpose. A key word that is a stop word counts for nothing, and the long
lists that search engines use hold words that answers are made of: new, state, ten, fire, computer,
even the names of companies. Left out for the same reason are the words that also name something
(May, Will, US) and all numbers. Single letters are what an apostrophe leaves behind.
"""

STOP_WORDS = {
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
    "fr": """
        le la les l un une des du de d au aux à en dans par pour sur sous avec sans entre vers chez
        depuis pendant contre après avant et ou mais donc or ni car que qu si comme quand lorsque je
        j tu il elle on nous vous ils elles me m te t se s lui leur leurs eux y moi toi soi mon ma
        mes ton ta tes son sa ses notre nos votre vos ce cet cette ces c cela ça ceci celui celle
        ceux celles qui quoi dont où quel quelle quels quelles lequel laquelle est sont était
        étaient être été étant suis sommes fut furent sera seront serait a ont avait avaient avoir
        ai as avons avez eu ne n pas plus non aussi très même
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
    "nl": """
        de het een en of maar want dat die dit deze als dan om te van in op aan bij met voor door
        over onder uit naar tot tegen tussen zonder na sinds tijdens achter boven ik jij je hij zij
        ze wij we jullie u mij me hem haar ons hen hun mijn jouw zijn onze uw zich zelf wie wat waar
        wanneer waarom hoe welke welk is was waren ben bent wees geweest heb hebt heeft hebben had
        hadden gehad wordt worden werd werden geworden zal zullen zou zouden kan kunnen kon moet er
        hier daar niet geen ook nog al zo zeer slechts toen t s n
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
    "zh": "的 了 吗 呢 吧 嗎",
}
"""By language; in Japanese a hiragana is one."""

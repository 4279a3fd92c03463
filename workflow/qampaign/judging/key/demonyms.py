"""Peoples and what belongs to a place, with the place: Peruvian is Peru."""

PLACES = """
    Afghanistan: Afghan Afghani
    Africa: African
    Albania: Albanian
    Algeria: Algerian
    America: American
    Andorra: Andorran
    Angola: Angolan
    Antarctica: Antarctic
    Arabia: Arabian
    Argentina: Argentine Argentinian Argentinean
    Armenia: Armenian
    Asia: Asian Asiatic
    Athens: Athenian
    Australia: Australian Aussie
    Austria: Austrian
    Azerbaijan: Azerbaijani Azeri
    Bahamas: Bahamian
    Bahrain: Bahraini
    Balkans: Balkan
    Bangladesh: Bangladeshi
    Barbados: Barbadian
    Bavaria: Bavarian
    Belarus: Belarusian Belarussian
    Belgium: Belgian
    Belize: Belizean
    Benin: Beninese
    Bermuda: Bermudian
    Bhutan: Bhutanese
    Bohemia: Bohemian
    Bolivia: Bolivian
    Bosnia: Bosnian
    Botswana: Botswanan
    Brazil: Brazilian
    Britain: British Briton
    Brittany: Breton
    Brunei: Bruneian
    Bulgaria: Bulgarian
    Burma: Burmese
    Burundi: Burundian
    Byzantium: Byzantine
    California: Californian
    Cambodia: Cambodian
    Cameroon: Cameroonian
    Canada: Canadian
    Castile: Castilian
    Catalonia: Catalan Catalonian
    Chad: Chadian
    Chechnya: Chechen
    Chile: Chilean
    China: Chinese
    Colombia: Colombian
    Congo: Congolese
    Corsica: Corsican
    Crete: Cretan
    Crimea: Crimean
    Croatia: Croatian Croat
    Cuba: Cuban
    Cyprus: Cypriot
    Czechia: Czech
    Czechoslovakia: Czechoslovak Czechoslovakian
    Denmark: Danish Dane
    Djibouti: Djiboutian
    Dominica: Dominican
    Ecuador: Ecuadorian Ecuadorean
    Egypt: Egyptian
    England: English Englishman Englishmen
    Eritrea: Eritrean
    Estonia: Estonian
    Ethiopia: Ethiopian
    Europe: European
    Fiji: Fijian
    Finland: Finnish
    Flanders: Flemish
    Florence: Florentine
    Florida: Floridian
    France: French Frenchman Frenchmen Frenchwoman
    Gabon: Gabonese
    Galicia: Galician
    Gambia: Gambian
    Georgia: Georgian
    Germany: German
    Ghana: Ghanaian
    Greece: Greek Grecian
    Greenland: Greenlandic Greenlander
    Guatemala: Guatemalan
    Guinea: Guinean
    Guyana: Guyanese
    Haiti: Haitian
    Hawaii: Hawaiian
    Honduras: Honduran
    Hungary: Hungarian
    Iberia: Iberian
    Iceland: Icelandic Icelander
    India: Indian
    Indonesia: Indonesian
    Iran: Iranian
    Iraq: Iraqi
    Ireland: Irish Irishman Irishmen
    Israel: Israeli
    Italy: Italian
    Jamaica: Jamaican
    Japan: Japanese
    Jordan: Jordanian
    Kashmir: Kashmiri
    Kazakhstan: Kazakh Kazakhstani
    Kenya: Kenyan
    Korea: Korean
    Kosovo: Kosovar Kosovan
    Kurdistan: Kurdish Kurd
    Kuwait: Kuwaiti
    Kyrgyzstan: Kyrgyz
    Lanka: Lankan
    Laos: Laotian
    Lapland: Lappish
    Latvia: Latvian
    Lebanon: Lebanese
    Leone: Leonean
    Lesotho: Basotho
    Liberia: Liberian
    Libya: Libyan
    Lithuania: Lithuanian
    Lombardy: Lombard
    London: Londoner
    Luxembourg: Luxembourgish Luxembourger
    Macedonia: Macedonian
    Madagascar: Malagasy
    Malawi: Malawian
    Malaysia: Malaysian
    Maldives: Maldivian
    Mali: Malian
    Malta: Maltese
    Mauritania: Mauritanian
    Mauritius: Mauritian
    Melanesia: Melanesian
    Mexico: Mexican
    Milan: Milanese
    Moldova: Moldovan
    Monaco: Monegasque
    Mongolia: Mongolian Mongol
    Montenegro: Montenegrin
    Moravia: Moravian
    Morocco: Moroccan
    Mozambique: Mozambican
    Myanmar: Burmese
    Namibia: Namibian
    Naples: Neapolitan
    Nepal: Nepalese Nepali
    Netherlands: Dutch Dutchman Dutchmen
    Nicaragua: Nicaraguan
    Nigeria: Nigerian
    Norway: Norwegian
    Oman: Omani
    Pakistan: Pakistani
    Palestine: Palestinian
    Panama: Panamanian
    Paraguay: Paraguayan
    Paris: Parisian
    Persia: Persian
    Peru: Peruvian
    Philippines: Philippine Filipino Filipina
    Phoenicia: Phoenician
    Poland: Polish
    Polynesia: Polynesian
    Portugal: Portuguese
    Prussia: Prussian
    Qatar: Qatari
    Quebec: Quebecois Quebecker
    Rica: Rican
    Rico: Rican
    Romania: Romanian
    Rome: Roman
    Russia: Russian
    Rwanda: Rwandan
    Salvador: Salvadoran Salvadorean
    Samoa: Samoan
    Sardinia: Sardinian
    Savoy: Savoyard
    Saxony: Saxon
    Scandinavia: Scandinavian
    Scotland: Scottish Scotsman Scotsmen
    Senegal: Senegalese
    Serbia: Serbian Serb
    Siberia: Siberian
    Sicily: Sicilian
    Silesia: Silesian
    Singapore: Singaporean
    Slovakia: Slovak Slovakian
    Slovenia: Slovenian Slovene
    Somalia: Somali Somalian
    Spain: Spanish Spaniard
    Sparta: Spartan
    Sudan: Sudanese
    Suriname: Surinamese
    Sweden: Swedish Swede
    Switzerland: Swiss
    Syria: Syrian
    Taiwan: Taiwanese
    Tajikistan: Tajik
    Tanzania: Tanzanian
    Tasmania: Tasmanian
    Texas: Texan
    Thailand: Thai
    Thrace: Thracian
    Tibet: Tibetan
    Tobago: Tobagonian
    Togo: Togolese
    Tonga: Tongan
    Trinidad: Trinidadian
    Troy: Trojan
    Tunisia: Tunisian
    Turkey: Turkish Turk
    Turkmenistan: Turkmen
    Tuscany: Tuscan
    Tyrol: Tyrolean
    Uganda: Ugandan
    Ukraine: Ukrainian
    Uruguay: Uruguayan
    Uzbekistan: Uzbek
    Venezuela: Venezuelan
    Venice: Venetian
    Vienna: Viennese
    Vietnam: Vietnamese
    Wales: Welsh Welshman Welshmen
    Yemen: Yemeni
    Yugoslavia: Yugoslav Yugoslavian
    Zambia: Zambian
    Zealand: Zealander
    Zimbabwe: Zimbabwean
"""
"""In English; of a place of several words the last one, which the others stand beside anyway."""

ORDINARY = frozenset(["polish", "swede", "swedes"])
"""Words that name a people only with a capital."""


def _read(text: str) -> dict[str, tuple[str, ...]]:
    """The places of each people, all in small letters; a people in the plural as well."""
    places: dict[str, tuple[str, ...]] = {}
    for line in text.strip().splitlines():
        place, _, peoples = line.strip().lower().partition(": ")
        for people in peoples.split():
            for name in (people, f"{people}s"):
                places[name] = (*places.get(name, ()), place)
    return places


DEMONYMS = {"en": _read(PLACES)}
"""By language: the places that a people or what belongs to a place goes by."""

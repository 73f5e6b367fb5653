/**
 * What the demo shop sells: families of goods, each sold under every brand of its list and in every size of its list.
 * Brands are invented. Texts are "English|Thai"; a third part is the good's price beside its family's (1 when left out).
 * A size is "English=price in THB" and, where its name is no mass or volume, "=weight in kg".
 * A product code begins with its category's two digits: coupons name categories by them.
 */
export const CATEGORIES = [
  { category: 11, en: "Rice and grains", th: "ข้าวและธัญพืช" },
  { category: 12, en: "Noodles and pasta", th: "เส้นและบะหมี่" },
  { category: 13, en: "Sauces and seasonings", th: "ซอสและเครื่องปรุง" },
  { category: 14, en: "Oil and canned food", th: "น้ำมันและอาหารกระป๋อง" },
  { category: 21, en: "Drinks", th: "เครื่องดื่ม" },
  { category: 22, en: "Coffee and tea", th: "กาแฟและชา" },
  { category: 23, en: "Beer, wine and spirits", th: "เครื่องดื่มแอลกอฮอล์" },
  { category: 31, en: "Snacks", th: "ขนมขบเคี้ยว" },
  { category: 32, en: "Biscuits and sweets", th: "บิสกิตและลูกอม" },
  { category: 33, en: "Bakery and breakfast", th: "เบเกอรีและอาหารเช้า" },
  { category: 41, en: "Vegetables", th: "ผัก" },
  { category: 42, en: "Fruit", th: "ผลไม้" },
  { category: 43, en: "Meat and poultry", th: "เนื้อสัตว์" },
  { category: 44, en: "Fish and seafood", th: "ปลาและอาหารทะเล" },
  { category: 45, en: "Eggs and tofu", th: "ไข่และเต้าหู้" },
  { category: 51, en: "Dairy and soy milk", th: "นมและนมถั่วเหลือง" },
  { category: 52, en: "Frozen and ready meals", th: "อาหารแช่แข็งและพร้อมทาน" },
  { category: 53, en: "Ice cream", th: "ไอศกรีม" },
  { category: 61, en: "Mother and baby", th: "แม่และเด็ก" },
  { category: 62, en: "Health", th: "สุขภาพ" },
  { category: 63, en: "Personal care", th: "ของใช้ส่วนตัว" },
  { category: 71, en: "Laundry and cleaning", th: "ซักล้างและทำความสะอาด" },
  { category: 72, en: "Household", th: "ของใช้ในบ้าน" },
  { category: 73, en: "Pets", th: "สัตว์เลี้ยง" },
];

/** One good in several flavours: "Barbecue Potato Chips|มันฝรั่งทอดกรอบ รสบาร์บีคิว". */
const flavours = (good, names, factor = 1) => {
  const [en, th] = good.split("|");
  return names.map((name) => {
    const [flavour, flavourTh] = name.split("|");
    return `${flavour} ${en}|${th} รส${flavourTh}|${factor}`;
  });
};

export const FAMILIES = [
  // Rice and grains
  {
    category: 11,
    brands: ["Ruang Thong|รวงทอง", "Thung Kula|ทุ่งกุลา", "Na Suan|นาสวน", "Khun Yai|คุณยาย"],
    goods: [
      "Jasmine Rice|ข้าวหอมมะลิ 100%", "White Rice|ข้าวขาว|0.62", "Brown Jasmine Rice|ข้าวกล้องหอมมะลิ|0.95",
      "Riceberry|ข้าวไรซ์เบอร์รี่|1.35", "Glutinous Rice|ข้าวเหนียว|0.78",
    ],
    sizes: ["1 kg=49", "2 kg=95", "5 kg=225"],
  },
  {
    category: 11,
    brands: ["Doi Thanya|ดอยธัญญา", "Rai Suk|ไร่สุข"],
    goods: [
      "Mung Beans|ถั่วเขียว", "Split Mung Beans|ถั่วเขียวเราะเปลือก|1.2", "Black Beans|ถั่วดำ", "Red Kidney Beans|ถั่วแดง|1.3",
      "Soybeans|ถั่วเหลือง|0.8", "Raw Peanuts|ถั่วลิสงดิบ|1.4", "Job's Tears|ลูกเดือย|1.3", "White Sesame|งาขาว|2.2", "Black Sesame|งาดำ|2",
    ],
    sizes: ["500 g=38", "1 kg=72"],
  },
  // Noodles and pasta
  {
    category: 12,
    brands: ["Sen Dee|เส้นดี", "Yim Yim|ยิ้มยิ้ม", "Chao Khrua|เจ้าครัว"],
    goods: flavours("Instant Noodles|บะหมี่กึ่งสำเร็จรูป", [
      "Tom Yum Shrimp|ต้มยำกุ้ง", "Creamy Tom Yum|ต้มยำกุ้งน้ำข้น", "Minced Pork|หมูสับ", "Stewed Beef|เนื้อตุ๋น", "Chicken|ไก่", "Pad Kee Mao|ผัดขี้เมา",
      "Green Curry|แกงเขียวหวาน", "Shiitake|เห็ดหอม",
    ]),
    sizes: ["55 g=6.5", "55 g × 6=36", "Cup 60 g=14"],
  },
  {
    category: 12,
    brands: ["Sai Mai|สายไหม", "Wang Nam|วังน้ำ"],
    goods: [
      "Rice Vermicelli|เส้นหมี่ขาว", "Thin Rice Noodles|เส้นเล็กอบแห้ง", "Pad Thai Noodles|เส้นผัดไทย|1.1", "Glass Noodles|วุ้นเส้น|1.6",
      "Egg Noodles|บะหมี่ไข่อบแห้ง|1.4", "Rice Macaroni|ก๋วยจั๊บ|1.1",
    ],
    sizes: ["200 g=21", "400 g=38"],
  },
  {
    category: 12,
    brands: ["Casa Lotta|คาซ่าลอตต้า", "Primavio|พรีมาวีโอ"],
    goods: ["Spaghetti|สปาเกตตี", "Penne|เพนเน", "Fusilli|ฟูซิลลี", "Elbow Macaroni|มักกะโรนีข้องอ", "Fettuccine|เฟตตูชินี|1.15"],
    sizes: ["250 g=36", "500 g=65"],
  },
  // Sauces and seasonings
  {
    category: 13,
    brands: ["Chao Le|ชาวเล", "Ruea Thong|เรือทอง", "Ao Phrao|อ่าวพร้าว"],
    goods: ["Fish Sauce|น้ำปลาแท้", "First-Press Fish Sauce|หัวน้ำปลาแท้|1.7", "Low-Sodium Fish Sauce|น้ำปลาลดโซเดียม|1.4"],
    sizes: ["300 ml=24", "700 ml=42"],
  },
  {
    category: 13,
    brands: ["Daeng Thong|แดงทอง", "Krok Hin|ครกหิน", "Khrua Rim Nam|ครัวริมน้ำ"],
    goods: [
      "Light Soy Sauce|ซีอิ๊วขาว", "Sweet Dark Soy Sauce|ซีอิ๊วดำหวาน|1.1", "Oyster Sauce|ซอสหอยนางรม|1.25", "Seasoning Sauce|ซอสปรุงรส", "Soybean Paste|เต้าเจี้ยว|0.9",
      "Sweet Chilli Sauce|น้ำจิ้มไก่|1.1", "Sriracha Chilli Sauce|ซอสพริกศรีราชา|1.15", "Tomato Ketchup|ซอสมะเขือเทศ", "Sukiyaki Sauce|น้ำจิ้มสุกี้|1.3",
      "Distilled Vinegar|น้ำส้มสายชูกลั่น|0.6",
    ],
    sizes: ["300 ml=31", "700 ml=58"],
  },
  {
    category: 13,
    brands: ["Mae Bua|แม่บัว", "Krok Hin|ครกหิน"],
    goods: [
      "Red Curry Paste|น้ำพริกแกงเผ็ด", "Green Curry Paste|น้ำพริกแกงเขียวหวาน", "Panang Curry Paste|น้ำพริกแกงพะแนง", "Massaman Curry Paste|น้ำพริกแกงมัสมั่น|1.1",
      "Sour Curry Paste|น้ำพริกแกงส้ม", "Tom Yum Paste|เครื่องต้มยำ", "Roasted Chilli Paste|น้ำพริกเผา|1.2", "Shrimp Paste|กะปิ|1.3",
    ],
    sizes: ["50 g=18", "400 g=89"],
  },
  {
    category: 13,
    brands: ["Rai Oi|ไร่อ้อย", "Wan Jai|หวานใจ"],
    goods: ["White Sugar|น้ำตาลทรายขาว", "Raw Cane Sugar|น้ำตาลทรายแดง|1.25", "Coconut Sugar|น้ำตาลมะพร้าว|2.2"],
    sizes: ["500 g=17", "1 kg=29"],
  },
  {
    category: 13,
    brands: ["Mae Bua|แม่บัว", "Khrua Rim Nam|ครัวริมน้ำ"],
    goods: [
      "Pork Seasoning Powder|ผงปรุงรสหมู", "Chicken Seasoning Powder|ผงปรุงรสไก่", "Mushroom Seasoning Powder|ผงปรุงรสเห็ดหอม|1.2", "Ground White Pepper|พริกไทยขาวป่น|3.2",
      "Chilli Flakes|พริกป่น|1.6", "Garlic Powder|กระเทียมผง|1.8",
    ],
    sizes: ["75 g=15", "150 g=27.5"],
  },
  {
    category: 13,
    brands: ["Suan Phrao|สวนพร้าว", "Ban Krathi|บ้านกะทิ"],
    goods: ["Coconut Milk|กะทิ 100%", "Light Coconut Milk|กะทิไขมันต่ำ|1.1", "Coconut Cream|หัวกะทิ|1.25"],
    sizes: ["250 ml=27", "500 ml=49", "1 L=92"],
  },
  // Oil and canned food
  {
    category: 14,
    brands: ["Thong Kam|ทองคำ", "Khrua Suk|ครัวสุข", "Yot Raeng|หยดแรก"],
    goods: [
      "Palm Oil|น้ำมันปาล์ม", "Soybean Oil|น้ำมันถั่วเหลือง|1.15", "Rice Bran Oil|น้ำมันรำข้าว|1.45", "Sunflower Oil|น้ำมันเมล็ดทานตะวัน|2",
      "Canola Oil|น้ำมันคาโนลา|2.2",
    ],
    sizes: ["500 ml=31", "1 L=54", "1.9 L=99"],
  },
  {
    category: 14,
    brands: ["Ruea Thong|เรือทอง", "Ao Phrao|อ่าวพร้าว", "Sam Samut|สามสมุทร"],
    goods: [
      "Sardines in Tomato Sauce|ปลาซาร์ดีนในซอสมะเขือเทศ", "Mackerel in Tomato Sauce|ปลาแมคเคอเรลในซอสมะเขือเทศ", "Tuna in Brine|ทูน่าในน้ำเกลือ|1.7",
      "Tuna in Sunflower Oil|ทูน่าในน้ำมันดอกทานตะวัน|1.75", "Spicy Tuna Salad|ยำทูน่า|1.8", "Fried Baby Clams with Chilli|หอยลายผัดพริก|1.6",
    ],
    sizes: ["155 g=21.5", "155 g × 4=82"],
  },
  {
    category: 14,
    brands: ["Suan Suk|สวนสุข", "Rai Suk|ไร่สุข"],
    goods: [
      "Rambutan in Syrup|เงาะในน้ำเชื่อม|1.2", "Lychee in Syrup|ลิ้นจี่ในน้ำเชื่อม|1.3", "Longan in Syrup|ลำไยในน้ำเชื่อม|1.25", "Pineapple Slices|สับปะรดแว่น",
      "Sweet Corn Kernels|ข้าวโพดหวานเมล็ด|0.8", "Bamboo Shoots|หน่อไม้ในน้ำ|0.8", "Pickled Mustard Greens|ผักกาดดอง|0.7", "Young Corn|ข้าวโพดอ่อน|0.9",
    ],
    sizes: ["565 g=52", "850 g=75"],
  },
  // Drinks
  {
    category: 21,
    brands: ["Nam Khang|น้ำค้าง", "Doi Kaeo|ดอยแก้ว", "Phu Phleng|ภูเพลง"],
    goods: ["Drinking Water|น้ำดื่ม", "Natural Mineral Water|น้ำแร่ธรรมชาติ|1.8"],
    sizes: ["350 ml=6", "600 ml=7", "1.5 L=13.5", "600 ml × 12=59", "1.5 L × 6=65"],
  },
  {
    category: 21,
    brands: ["Fizzo|ฟิซโซ่", "Sa Sabai|ซ่าสบาย"],
    goods: [
      "Cola|น้ำอัดลมโคล่า", "No-Sugar Cola|น้ำอัดลมโคล่าไม่มีน้ำตาล", "Orange Soda|น้ำอัดลมกลิ่นส้ม", "Strawberry Soda|น้ำแดงกลิ่นสตรอว์เบอร์รี", "Lemon-Lime Soda|น้ำอัดลมกลิ่นเลมอนไลม์",
      "Cream Soda|น้ำเขียวครีมโซดา",
    ],
    sizes: ["325 ml=14", "1.25 L=31", "325 ml × 6=79"],
  },
  {
    category: 21,
    brands: ["Suan Suk|สวนสุข", "Doi Phon|ดอยผล", "Tropina|โทรปินา"],
    goods: [
      "Orange Juice|น้ำส้ม 100%", "Guava Juice|น้ำฝรั่ง 100%|0.9", "Mango Juice|น้ำมะม่วง 40%|0.85", "Pineapple Juice|น้ำสับปะรด 100%|0.9", "Apple Juice|น้ำแอปเปิล 100%",
      "Lychee Juice|น้ำลิ้นจี่ 40%|0.9", "Tomato Juice|น้ำมะเขือเทศ 100%|0.95", "Mixed Vegetable Juice|น้ำผักผลไม้รวม 100%|1.1",
    ],
    sizes: ["200 ml=19", "1 L=69", "200 ml × 6=105"],
  },
  {
    category: 21,
    brands: ["Cha Dee|ชาดี", "Rim Than|ริมธาร"],
    goods: [
      "Green Tea Drink|ชาเขียวพร้อมดื่ม|1.1", "Honey Lemon Green Tea Drink|ชาเขียวน้ำผึ้งมะนาวพร้อมดื่ม|1.1", "Lychee Black Tea Drink|ชาดำลิ้นจี่พร้อมดื่ม|1.1",
      "Chrysanthemum Drink|น้ำเก๊กฮวย", "Roselle Drink|น้ำกระเจี๊ยบ", "Bael Fruit Drink|น้ำมะตูม", "Longan Drink|น้ำลำไย", "Lemongrass Pandan Drink|น้ำตะไคร้ใบเตย",
    ],
    sizes: ["420 ml=20", "420 ml × 6=112"],
  },
  {
    category: 21,
    brands: ["Phalang|พลัง", "Vita Wan|ไวต้าวัน"],
    goods: ["Energy Drink|เครื่องดื่มชูกำลัง", "Vitamin C Drink|เครื่องดื่มวิตามินซี|1.4", "Electrolyte Drink|เครื่องดื่มเกลือแร่|1.2", "Ginseng Drink|เครื่องดื่มผสมโสมสกัด|1.3"],
    sizes: ["150 ml=11", "150 ml × 10=105"],
  },
  {
    category: 21,
    brands: ["Suan Phrao|สวนพร้าว", "Ban Krathi|บ้านกะทิ"],
    goods: ["Coconut Water|น้ำมะพร้าว 100%", "Coconut Water with Pulp|น้ำมะพร้าวผสมเนื้อมะพร้าว|1.1"],
    sizes: ["330 ml=26", "1 L=75"],
  },
  // Coffee and tea
  {
    category: 22,
    brands: ["Doi Mok|ดอยหมอก", "Kafe Nuea|กาแฟเหนือ"],
    goods: ["3-in-1 Rich Coffee|กาแฟปรุงสำเร็จ 3in1 สูตรเข้มข้น", "3-in-1 Espresso Coffee|กาแฟปรุงสำเร็จ 3in1 เอสเพรสโซ", "3-in-1 Latte|กาแฟปรุงสำเร็จ 3in1 ลาเต้", "2-in-1 Sugar-Free Coffee|กาแฟปรุงสำเร็จ 2in1 ไม่มีน้ำตาล|1.1"],
    sizes: ["18 g × 10=59", "18 g × 27=135"],
  },
  {
    category: 22,
    brands: ["Doi Mok|ดอยหมอก", "Kafe Nuea|กาแฟเหนือ", "Wiang Phu|เวียงภู"],
    goods: ["Arabica Coffee Beans|เมล็ดกาแฟอาราบิก้า", "Espresso Blend Coffee Beans|เมล็ดกาแฟเอสเพรสโซเบลนด์|0.85", "Ground Arabica Coffee|กาแฟคั่วบดอาราบิก้า", "Traditional Ground Coffee|กาแฟโบราณ|0.4"],
    sizes: ["200 g=179", "500 g=389"],
  },
  {
    category: 22,
    brands: ["Rim Than|ริมธาร", "Wiang Phu|เวียงภู"],
    goods: ["Thai Tea|ชาไทย|0.8", "Green Tea|ชาเขียว", "Jasmine Tea|ชามะลิ", "Oolong Tea|ชาอู่หลง|1.3", "Ginger Tea|ชาขิง"],
    sizes: ["2 g × 25=69", "200 g=125"],
  },
  {
    category: 22,
    brands: ["Thong Fa|ทองฟ้า", "Chok Dee|ช็อกดี"],
    goods: ["Malted Chocolate Drink Mix|เครื่องดื่มมอลต์รสช็อกโกแลตผง", "Cocoa Powder|ผงโกโก้|1.6", "Instant Soy Drink|เครื่องดื่มน้ำเต้าหู้ผง|0.9", "Instant Ginger Drink|ขิงผงสำเร็จรูป|0.95"],
    sizes: ["180 g=65", "400 g=129"],
  },
  // Beer, wine and spirits
  {
    category: 23,
    controlled: true,
    brands: ["Khun Khao|ขุนเขา", "Ruea Yao|เรือยาว", "Lom Nao|ลมหนาว"],
    goods: ["Lager Beer|เบียร์ลาเกอร์", "Light Beer|เบียร์ไลต์", "Wheat Beer|เบียร์วีต|1.5", "Dark Beer|เบียร์ดำ|1.45"],
    sizes: ["320 ml=42", "620 ml=66", "320 ml × 6=239"],
  },
  {
    category: 23,
    controlled: true,
    brands: ["Khao Yot|เขายอด", "Val Serena|วัลเซเรนา", "Kangaroo Creek|แคงการูครีก"],
    goods: ["Shiraz Red Wine|ไวน์แดงชีราซ", "Cabernet Sauvignon Red Wine|ไวน์แดงกาแบร์เนโซวีญง|1.1", "Chenin Blanc White Wine|ไวน์ขาวเชอแนงบลังก์", "Chardonnay White Wine|ไวน์ขาวชาร์ดอนเนย์|1.05", "Rosé Wine|ไวน์โรเซ่", "Sparkling Wine|สปาร์กลิงไวน์|1.4"],
    sizes: ["750 ml=549"],
  },
  {
    category: 23,
    controlled: true,
    brands: ["Maenam Si|แม่น้ำสี่", "Khun Khao|ขุนเขา"],
    goods: ["Blended Spirit|สุราปรุงพิเศษ", "White Rice Spirit|สุราขาว|0.6", "Sugarcane Rum|รัมอ้อย|1.8", "Dry Gin|จิน|2.4"],
    sizes: ["350 ml=165", "700 ml=299"],
  },
  // Snacks
  {
    category: 31,
    brands: ["Krop Dee|กรอบดี", "Man Man|มันมัน", "Chip Chai|ชิปชัย"],
    goods: flavours("Potato Chips|มันฝรั่งทอดกรอบ", ["Original|ดั้งเดิม", "Barbecue|บาร์บีคิว", "Nori Seaweed|โนริสาหร่าย", "Sour Cream and Onion|ซาวร์ครีมและหัวหอม", "Hot Chilli Squid|หมึกย่างฮอตชิลลี", "Salted Egg|ไข่เค็ม"]),
    sizes: ["48 g=21", "75 g=32", "158 g=62"],
  },
  {
    category: 31,
    brands: ["Sarai Thong|สาหร่ายทอง", "Nori Noi|โนริน้อย"],
    goods: flavours("Crispy Seaweed|สาหร่ายทอดกรอบ", ["Classic|คลาสสิก", "Spicy|เผ็ด", "Tom Yum|ต้มยำ", "Japanese Soy|โชยุญี่ปุ่น"]),
    sizes: ["15 g=19", "32 g=37"],
  },
  {
    category: 31,
    brands: ["Krop Dee|กรอบดี", "Ban Khanom|บ้านขนม"],
    goods: [
      "Prawn Crackers|ข้าวเกรียบกุ้ง", "Fish Crackers|ข้าวเกรียบปลา", "Corn Puffs|ข้าวโพดอบกรอบ|0.8", "Rice Crackers with Cane Syrup|ข้าวแต๋นน้ำแตงโม|1.4", "Crispy Squid Rolls|ปลาหมึกม้วนกรอบ|1.7",
      "Barbecue Fish Snack|ปลาเส้นรสบาร์บีคิว|1.2",
    ],
    sizes: ["50 g=20", "90 g=35"],
  },
  {
    category: 31,
    brands: ["Tua Thong|ถั่วทอง", "Rai Suk|ไร่สุข"],
    goods: [
      "Roasted Salted Peanuts|ถั่วลิสงอบเกลือ", "Coconut-Coated Peanuts|ถั่วลิสงเคลือบกะทิ", "Roasted Cashew Nuts|เม็ดมะม่วงหิมพานต์อบเกลือ|3", "Roasted Almonds|อัลมอนด์อบเกลือ|2.8",
      "Fried Broad Beans|ถั่วปากอ้าทอด|0.9", "Sunflower Seeds|เมล็ดทานตะวันอบ|1.1", "Mixed Nuts|ถั่วรวมอบเกลือ|2.2",
    ],
    sizes: ["65 g=25", "160 g=55"],
  },
  {
    category: 31,
    brands: ["Suan Suk|สวนสุข", "Ban Khanom|บ้านขนม"],
    goods: [
      "Dried Mango|มะม่วงอบแห้ง|1.4", "Sun-Dried Bananas|กล้วยตาก|0.7", "Banana Chips|กล้วยฉาบ|0.6", "Durian Chips|ทุเรียนทอดกรอบ|3", "Jackfruit Chips|ขนุนทอดกรอบ|1.3", "Taro Chips|เผือกทอดกรอบ|0.8",
      "Sweet and Sour Tamarind|มะขามคลุกบ๊วย|0.8",
    ],
    sizes: ["80 g=49", "200 g=109"],
  },
  // Biscuits and sweets
  {
    category: 32,
    brands: ["Butterfield|บัตเตอร์ฟีลด์", "Ban Khanom|บ้านขนม", "Momo|โมโม"],
    goods: [
      "Butter Cookies|คุกกี้เนยสด|1.4", "Chocolate Chip Cookies|คุกกี้ช็อกโกแลตชิป|1.4", "Chocolate Sandwich Biscuits|บิสกิตสอดไส้ครีมช็อกโกแลต", "Vanilla Sandwich Biscuits|บิสกิตสอดไส้ครีมวานิลลา",
      "Cheese Crackers|แครกเกอร์ชีส|1.1", "Pineapple-Filled Biscuits|บิสกิตสอดไส้สับปะรด", "Chocolate Wafers|เวเฟอร์ช็อกโกแลต|0.9", "Coconut Biscuits|บิสกิตมะพร้าว|0.85",
    ],
    sizes: ["90 g=25", "240 g=59"],
  },
  {
    category: 32,
    brands: ["Chok Dee|ช็อกดี", "Velvetta|เวลเวตตา"],
    goods: ["Milk Chocolate|ช็อกโกแลตนม", "Dark Chocolate 70%|ดาร์กช็อกโกแลต 70%|1.35", "White Chocolate|ไวต์ช็อกโกแลต", "Almond Milk Chocolate|ช็อกโกแลตนมผสมอัลมอนด์|1.2", "Chocolate-Coated Peanuts|ถั่วลิสงเคลือบช็อกโกแลต|0.9"],
    sizes: ["45 g=35", "100 g=75"],
  },
  {
    category: 32,
    brands: ["Wan Jai|หวานใจ", "Momo|โมโม"],
    goods: ["Mint Candy|ลูกอมมินต์", "Coffee Candy|ลูกอมกาแฟ", "Plum Candy|ลูกอมบ๊วย", "Milk Chews|ลูกอมนมเคี้ยวหนึบ|1.15", "Fruit Gummies|เยลลี่กัมมี่รสผลไม้|1.3", "Fruit Jelly Cups|เยลลี่ถ้วยรสผลไม้รวม|0.9", "Marshmallows|มาร์ชแมลโลว์|1.2"],
    sizes: ["100 g=25", "280 g=62"],
  },
  // Bakery and breakfast
  {
    category: 33,
    brands: ["Fahmai Bakery|ฟ้าใหม่เบเกอรี", "Oon Ruk|อุ่นรัก"],
    goods: ["White Sandwich Bread|ขนมปังแซนด์วิช", "Whole Wheat Bread|ขนมปังโฮลวีต|1.2", "Butter Loaf|ขนมปังเนยสด|1.25", "Raisin Bread|ขนมปังลูกเกด|1.35", "Hokkaido Milk Bread|ขนมปังนมฮอกไกโด|1.5"],
    sizes: ["240 g=28", "480 g=47"],
  },
  {
    category: 33,
    brands: ["Fahmai Bakery|ฟ้าใหม่เบเกอรี", "Oon Ruk|อุ่นรัก"],
    goods: ["Pandan Custard Bun|ขนมปังไส้สังขยาใบเตย", "Red Bean Bun|ขนมปังไส้ถั่วแดง", "Shredded Pork Bun|ขนมปังไส้หมูหยอง|1.3", "Butter Croissant|ครัวซองต์เนยสด|1.8", "Banana Cake|เค้กกล้วยหอม|1.2", "Chocolate Swiss Roll|โรลช็อกโกแลต|1.4"],
    sizes: ["80 g=20", "80 g × 4=76"],
  },
  {
    category: 33,
    brands: ["Aroon|อรุณ", "Morning Peak|มอร์นิงพีก"],
    goods: ["Corn Flakes|คอร์นเฟลกส์", "Chocolate Cereal Balls|ซีเรียลบอลรสช็อกโกแลต|1.1", "Honey Granola|กราโนลาน้ำผึ้ง|1.8", "Rolled Oats|ข้าวโอ๊ต|0.8", "Fruit Muesli|มูสลีผลไม้รวม|1.6"],
    sizes: ["220 g=79", "500 g=165"],
  },
  {
    category: 33,
    brands: ["Doi Phon|ดอยผล", "Aroon|อรุณ"],
    goods: ["Strawberry Jam|แยมสตรอว์เบอร์รี", "Pineapple Jam|แยมสับปะรด|0.85", "Orange Marmalade|แยมส้ม|0.9", "Peanut Butter|เนยถั่ว|1.4", "Longan Honey|น้ำผึ้งดอกลำไย|1.7", "Pandan Custard Spread|สังขยาใบเตย|0.9", "Sweetened Condensed Milk|นมข้นหวาน|0.6"],
    sizes: ["170 g=59", "340 g=105"],
  },
  // Vegetables
  {
    category: 41,
    brands: [""],
    goods: [
      "Chinese Kale|คะน้า", "Water Spinach|ผักบุ้งจีน|0.7", "Choy Sum|กวางตุ้ง|0.8", "Napa Cabbage|ผักกาดขาว|0.8", "Cabbage|กะหล่ำปลี|0.7", "Pak Choi|กวางตุ้งฮ่องเต้", "Spinach|ปวยเล้ง|1.9", "Amaranth|ผักโขม|0.8",
      "Ivy Gourd Leaves|ใบตำลึง", "Climbing Wattle|ชะอม|1.4", "Chinese Celery|ขึ้นฉ่าย|1.3", "Garlic Chives|กุยช่าย|1.1", "Bean Sprouts|ถั่วงอก|0.5", "Iceberg Lettuce|ผักกาดแก้ว|1.4",
    ],
    sizes: ["250 g=22", "500 g=39.5"],
  },
  {
    category: 41,
    brands: ["Suan Phak Khiao|สวนผักเขียว"],
    goods: [
      "Organic Chinese Kale|คะน้าออร์แกนิก", "Organic Pak Choi|กวางตุ้งฮ่องเต้ออร์แกนิก", "Organic Choy Sum|กวางตุ้งออร์แกนิก", "Organic Green Oak Lettuce|กรีนโอ๊คออร์แกนิก|1.2", "Organic Red Oak Lettuce|เรดโอ๊คออร์แกนิก|1.2",
      "Organic Cos Lettuce|ผักกาดคอสออร์แกนิก|1.2", "Organic Rocket|ร็อกเกตออร์แกนิก|1.6", "Organic Kale|เคลออร์แกนิก|1.7", "Organic Mixed Salad|สลัดรวมออร์แกนิก|1.4",
    ],
    sizes: ["150 g=39", "300 g=72"],
  },
  {
    category: 41,
    brands: [""],
    goods: [
      "Holy Basil|ใบกะเพรา", "Thai Basil|ใบโหระพา", "Lemon Basil|ใบแมงลัก", "Coriander|ผักชี|1.4", "Culantro|ผักชีฝรั่ง", "Spring Onions|ต้นหอม|1.2", "Mint|สะระแหน่|1.2", "Dill|ผักชีลาว|1.1",
      "Makrut Lime Leaves|ใบมะกรูด|1.1", "Lemongrass|ตะไคร้|0.8", "Galangal|ข่า", "Fingerroot|กระชาย|1.3", "Pandan Leaves|ใบเตย|0.9", "Bird's Eye Chillies|พริกขี้หนูสวน|1.8",
    ],
    sizes: ["50 g=10", "100 g=17.75"],
  },
  {
    category: 41,
    brands: [""],
    goods: [
      "Tomatoes|มะเขือเทศ", "Cherry Tomatoes|มะเขือเทศเชอร์รี|1.8", "Cucumbers|แตงกวา|0.7", "Carrots|แครอต|0.9", "Daikon Radish|หัวไชเท้า|0.8", "Pumpkin|ฟักทอง|0.7", "Yardlong Beans|ถั่วฝักยาว|1.2",
      "Thai Eggplant|มะเขือเปราะ|0.9", "Long Eggplant|มะเขือยาว|0.9", "Bitter Gourd|มะระจีน|1.1", "Winter Melon|ฟักเขียว|0.6", "Sponge Gourd|บวบหอม|0.9", "Okra|กระเจี๊ยบเขียว|1.3", "Broccoli|บรอกโคลี|2", "Cauliflower|กะหล่ำดอก|1.5",
      "Sweet Corn|ข้าวโพดหวาน|0.9", "Baby Corn|ข้าวโพดอ่อนสด|1.6", "Potatoes|มันฝรั่ง", "Sweet Potatoes|มันเทศ|0.9", "Taro|เผือก|1.5", "Ginger|ขิงแก่|1.9", "Garlic|กระเทียมไทย|3", "Shallots|หอมแดง|2.4", "Onions|หอมหัวใหญ่|0.9",
      "Limes|มะนาว|2.2", "Green Papaya|มะละกอดิบ|0.7",
    ],
    sizes: ["500 g=29", "1 kg=54"],
  },
  {
    category: 41,
    brands: ["Het Dee|เห็ดดี"],
    goods: ["Oyster Mushrooms|เห็ดนางฟ้า", "Straw Mushrooms|เห็ดฟาง|1.4", "Enoki Mushrooms|เห็ดเข็มทอง|0.8", "Shiitake Mushrooms|เห็ดหอมสด|1.9", "King Oyster Mushrooms|เห็ดออรินจิ|1.3", "Shimeji Mushrooms|เห็ดชิเมจิ|1.3"],
    sizes: ["150 g=27", "300 g=49"],
  },
  // Fruit
  {
    category: 42,
    brands: [""],
    goods: [
      "Nam Dok Mai Mangoes|มะม่วงน้ำดอกไม้|1.6", "Green Mangoes|มะม่วงมันดิบ", "Cavendish Bananas|กล้วยหอม|0.8", "Nam Wa Bananas|กล้วยน้ำว้า|0.6", "Papaya|มะละกอสุก|0.8", "Pineapple|สับปะรดภูแล|0.9", "Watermelon|แตงโม|0.5",
      "Cantaloupe|แคนตาลูป|1.1", "Guava|ฝรั่งกิมจู", "Rose Apples|ชมพู่ทับทิมจันท์|1.5", "Dragon Fruit|แก้วมังกร|1.1", "Rambutan|เงาะโรงเรียน", "Mangosteen|มังคุด|1.3", "Longan|ลำไย|1.2", "Lychee|ลิ้นจี่|1.8", "Longkong|ลองกอง",
      "Sala|สละสุมาลี|1.3", "Pomelo|ส้มโอขาวน้ำผึ้ง|1.2", "Sai Nam Phueng Oranges|ส้มสายน้ำผึ้ง|1.4", "Custard Apples|น้อยหน่า|1.1", "Sapodilla|ละมุด|0.9", "Jackfruit Pods|ขนุนแกะเนื้อ|2", "Monthong Durian Pods|ทุเรียนหมอนทองแกะเนื้อ|7",
      "Sweet Tamarind|มะขามหวาน|1.9",
    ],
    sizes: ["500 g=35", "1 kg=65"],
  },
  {
    category: 42,
    brands: [""],
    goods: [
      "Fuji Apples|แอปเปิลฟูจิ", "Gala Apples|แอปเปิลกาล่า", "Green Apples|แอปเปิลเขียว|1.1", "Chinese Pears|สาลี่หิมะ|0.9", "Seedless Red Grapes|องุ่นแดงไร้เมล็ด|2", "Seedless Green Grapes|องุ่นเขียวไร้เมล็ด|2", "Navel Oranges|ส้มนาเวล|1.2",
      "Mandarins|ส้มแมนดาริน|1.2", "Green Kiwifruit|กีวีเขียว|1.7", "Avocados|อะโวคาโด|1.6", "Lemons|เลมอน|1.4",
    ],
    sizes: ["500 g=62", "1 kg=115"],
  },
  {
    category: 42,
    brands: ["Doi Phon|ดอยผล"],
    goods: ["Strawberries|สตรอว์เบอร์รีสด", "Cape Gooseberries|เคพกูสเบอร์รี|0.8", "Blueberries|บลูเบอร์รีสด|1.6", "Passion Fruit|เสาวรส|0.6", "Figs|มะเดื่อฝรั่ง|1.4"],
    sizes: ["125 g=89", "250 g=165"],
  },
  // Meat and poultry
  {
    category: 43,
    brands: ["", "Farm Rung|ฟาร์มรุ่ง"],
    goods: [
      "Minced Pork|หมูสับ", "Pork Belly|หมูสามชั้น|1.35", "Pork Neck|สันคอหมู|1.3", "Pork Loin|สันนอกหมู|1.15", "Pork Tenderloin|สันในหมู|1.25", "Pork Spare Ribs|ซี่โครงหมู|1.2", "Pork Leg|เนื้อสะโพกหมู", "Pork Liver|ตับหมู|0.8",
    ],
    sizes: ["250 g=46.75", "500 g=89", "1 kg=172"],
  },
  {
    category: 43,
    brands: ["", "Kai Dee|ไก่ดี"],
    goods: [
      "Chicken Breast|อกไก่", "Chicken Thighs|สะโพกไก่", "Chicken Drumsticks|น่องไก่|0.9", "Chicken Wings|ปีกไก่|1.2", "Minced Chicken|ไก่บด", "Chicken Liver|ตับไก่|0.6", "Boneless Chicken Leg|เนื้อน่องไก่เลาะกระดูก|1.2",
    ],
    sizes: ["250 g=26.25", "500 g=49", "1 kg=93"],
  },
  {
    category: 43,
    brands: ["Thung Kho|ทุ่งโค"],
    goods: ["Minced Beef|เนื้อวัวบด", "Beef Sirloin|เนื้อสันนอกวัว|1.7", "Beef Shank|เนื้อน่องลายวัว|1.2", "Beef Brisket|เนื้อเสือร้องไห้|1.4", "Sliced Beef for Shabu|เนื้อวัวสไลซ์สำหรับชาบู|1.6"],
    sizes: ["300 g=119", "500 g=189"],
  },
  {
    category: 43,
    brands: ["Farm Rung|ฟาร์มรุ่ง", "Kai Dee|ไก่ดี", "Siam Deli|สยามเดลี"],
    goods: ["Smoked Sausages|ไส้กรอกรมควัน", "Cheese Sausages|ไส้กรอกชีส|1.2", "Cocktail Sausages|ไส้กรอกค็อกเทล", "Chicken Bologna|โบโลน่าไก่|0.9", "Bacon|เบคอน|1.8", "Cooked Ham|แฮม|1.3", "Meatballs|ลูกชิ้น|0.8", "Vietnamese Pork Roll|หมูยอ|0.9"],
    sizes: ["200 g=59", "500 g=135"],
  },
  // Fish and seafood
  {
    category: 44,
    brands: [""],
    goods: [
      "Nile Tilapia|ปลานิล|0.6", "Red Tilapia|ปลาทับทิม|0.8", "Sea Bass|ปลากะพงขาว", "Sea Bass Fillet|ปลากะพงขาวแล่|1.5", "Pangasius Fillet|ปลาดอรี่แล่|0.7", "Steamed Mackerel|ปลาทูนึ่ง|0.9", "Catfish|ปลาดุก|0.6", "Snakehead Fish|ปลาช่อน|0.9",
      "White Prawns|กุ้งขาว|1.4", "Giant River Prawns|กุ้งแม่น้ำ|3.2", "Squid|ปลาหมึกกล้วย|1.4", "Cuttlefish|ปลาหมึกกระดอง|1.5", "Blue Swimming Crabs|ปูม้า|2.2", "Green Mussels|หอยแมลงภู่|0.5", "Blood Cockles|หอยแครง|0.9", "Clams|หอยลาย|0.6",
    ],
    sizes: ["500 g=99", "1 kg=192"],
  },
  {
    category: 44,
    brands: ["Sam Samut|สามสมุทร", "Ao Phrao|อ่าวพร้าว"],
    goods: ["Salmon Fillet|แซลมอนแล่|2.2", "Peeled Prawns|กุ้งขาวแกะเปลือก|1.4", "Fish Balls|ลูกชิ้นปลา|0.5", "Crab Sticks|ปูอัด|0.6", "Dried Shrimp|กุ้งแห้ง|2", "Dried Squid|ปลาหมึกแห้ง|2.1", "Salted Threadfin|ปลากุเลาเค็ม|2.4", "Sun-Dried Gourami|ปลาสลิดแดดเดียว|1.3"],
    sizes: ["200 g=99", "400 g=189"],
  },
  // Eggs and tofu
  {
    category: 45,
    brands: ["Khai Suk|ไข่สุข", "Farm Rung|ฟาร์มรุ่ง", "Na Suan|นาสวน"],
    goods: ["Size 1 Chicken Eggs|ไข่ไก่ เบอร์ 1", "Size 2 Chicken Eggs|ไข่ไก่ เบอร์ 2|0.95", "Size 3 Chicken Eggs|ไข่ไก่ เบอร์ 3|0.9", "Cage-Free Chicken Eggs|ไข่ไก่เลี้ยงปล่อย|1.6", "Duck Eggs|ไข่เป็ด|1.25"],
    sizes: ["10 eggs=55=0.65", "30 eggs=152=1.95"],
  },
  {
    category: 45,
    brands: ["Tao Thong|เต้าทอง", "Bun Jai|บุญใจ"],
    goods: ["Firm White Tofu|เต้าหู้ขาวแข็ง", "Soft White Tofu|เต้าหู้ขาวอ่อน", "Egg Tofu Tube|เต้าหู้ไข่หลอด|0.7", "Yellow Tofu|เต้าหู้เหลือง|1.1", "Fried Tofu|เต้าหู้ทอด|1.3", "Tempeh|เทมเป้|2.1"],
    sizes: ["180 g=17.5", "300 g=26"],
  },
  // Dairy and soy milk
  {
    category: 51,
    brands: ["Thung Nom|ทุ่งนม", "Mae Wua|แม่วัว", "Khao Nuan|ขาวนวล"],
    goods: ["Plain UHT Milk|นมยูเอชที รสจืด", "Low-Fat UHT Milk|นมยูเอชทีพร่องมันเนย", "Sweetened UHT Milk|นมยูเอชที รสหวาน", "Chocolate UHT Milk|นมยูเอชที รสช็อกโกแลต|1.05", "Strawberry UHT Milk|นมยูเอชที รสสตรอว์เบอร์รี|1.05"],
    sizes: ["180 ml × 4=49", "200 ml × 12=139.5", "1 L=54"],
  },
  {
    category: 51,
    brands: ["Thung Nom|ทุ่งนม", "Mae Wua|แม่วัว"],
    goods: ["Fresh Milk|นมพาสเจอร์ไรส์ รสจืด", "Fresh Low-Fat Milk|นมพาสเจอร์ไรส์พร่องมันเนย", "Fresh Chocolate Milk|นมพาสเจอร์ไรส์ รสช็อกโกแลต", "Lactose-Free Milk|นมปราศจากแล็กโทส|1.4"],
    sizes: ["200 ml=15.25", "830 ml=53", "2 L=104"],
  },
  {
    category: 51,
    brands: ["Mae Wua|แม่วัว", "Yo Yen|โยเย็น"],
    goods: [...flavours("Yoghurt|โยเกิร์ต", ["Natural|ธรรมชาติ", "Strawberry|สตรอว์เบอร์รี", "Mixed Fruit|ผลไม้รวม", "Nata de Coco|วุ้นมะพร้าว", "Aloe Vera|ว่านหางจระเข้", "Blueberry|บลูเบอร์รี"]), "Greek Yoghurt|กรีกโยเกิร์ต|2.4"],
    sizes: ["110 g=14.5", "110 g × 4=55"],
  },
  {
    category: 51,
    brands: ["Tua Tim|ถั่วทิม", "Bun Jai|บุญใจ"],
    goods: ["Original Soy Milk|นมถั่วเหลือง สูตรดั้งเดิม", "Unsweetened Soy Milk|นมถั่วเหลือง ไม่ใส่น้ำตาล", "Black Sesame Soy Milk|นมถั่วเหลืองผสมงาดำ|1.15", "Almond Milk|นมอัลมอนด์|1.9", "Oat Milk|นมข้าวโอ๊ต|1.9", "Corn Milk|น้ำนมข้าวโพด|1.2"],
    sizes: ["180 ml × 4=39", "1 L=45"],
  },
  {
    category: 51,
    brands: ["Alpenhof|อัลเพนฮอฟ", "Mae Wua|แม่วัว"],
    goods: ["Salted Butter|เนยสดชนิดเค็ม", "Unsalted Butter|เนยสดชนิดจืด", "Cheddar Slices|เชดดาร์ชีสแผ่น|0.9", "Mozzarella|มอสซาเรลลาชีส|1.1", "Cream Cheese|ครีมชีส|1.1", "Whipping Cream|วิปปิงครีม|0.7"],
    sizes: ["200 g=125", "500 g=289"],
  },
  // Frozen and ready meals
  {
    category: 52,
    brands: ["Oon Im|อุ่นอิ่ม", "Khrua Reo|ครัวเร็ว"],
    goods: [
      "Basil Pork with Rice|ข้าวกะเพราหมู", "Basil Chicken with Rice|ข้าวกะเพราไก่", "Green Curry Chicken with Rice|ข้าวแกงเขียวหวานไก่|1.1", "Panang Pork with Rice|ข้าวพะแนงหมู|1.1", "Crab Fried Rice|ข้าวผัดปู|1.3", "Shrimp Fried Rice|ข้าวผัดกุ้ง|1.2",
      "Chicken Biryani|ข้าวหมกไก่|1.1", "Pad See Ew|ผัดซีอิ๊วหมู", "Pad Thai with Shrimp|ผัดไทยกุ้งสด|1.2", "Spaghetti Carbonara|สปาเกตตีคาร์โบนารา|1.15", "Shrimp Wonton Soup|เกี๊ยวกุ้งน้ำ|1.25", "Pork Congee|โจ๊กหมู|0.8",
    ],
    sizes: ["250 g=47", "350 g=62"],
  },
  {
    category: 52,
    brands: ["Khrua Reo|ครัวเร็ว", "Siam Deli|สยามเดลี"],
    goods: [
      "Pork Dumplings|ขนมจีบหมู", "Shrimp Dumplings|ฮะเก๋ากุ้ง|1.4", "Gyoza|เกี๊ยวซ่าหมู|1.1", "Spring Rolls|ปอเปี๊ยะทอด|0.9", "Barbecue Pork Buns|ซาลาเปาหมูแดง", "Custard Buns|ซาลาเปาครีม|0.9", "Chicken Nuggets|นักเก็ตไก่", "Chicken Karaage|ไก่คาราอาเกะ|1.2",
      "French Fries|เฟรนช์ฟรายส์|0.8", "Mixed Vegetables|ผักรวมแช่แข็ง|0.6",
    ],
    sizes: ["300 g=79", "800 g=189"],
  },
  // Ice cream
  {
    category: 53,
    brands: ["Yen Jai|เย็นใจ", "Gelarto|เจลาร์โต"],
    goods: flavours("Ice Cream|ไอศกรีม", ["Vanilla|วานิลลา", "Chocolate|ช็อกโกแลต", "Strawberry|สตรอว์เบอร์รี", "Coconut|กะทิ", "Thai Tea|ชาไทย", "Durian|ทุเรียน", "Taro|เผือก", "Mango Sticky Rice|ข้าวเหนียวมะม่วง"]),
    sizes: ["75 g=25", "450 ml=99", "1 L=185"],
  },
  // Mother and baby
  {
    category: 61,
    controlled: true,
    brands: ["Nom Noi|นมน้อย", "Lumina Baby|ลูมินาเบบี้"],
    goods: ["Infant Formula Stage 1|นมผงสำหรับทารก สูตร 1", "Infant Formula Stage 2|นมผงสำหรับทารก สูตร 2"],
    sizes: ["350 g=239", "600 g=385"],
  },
  {
    category: 61,
    brands: ["Jing Jing|จิงจิง", "Nuan Noi|นวลน้อย"],
    goods: ["Newborn Diapers|ผ้าอ้อมเด็กแรกเกิด|0.85", "Diaper Pants S|กางเกงผ้าอ้อม ไซซ์ S|0.9", "Diaper Pants M|กางเกงผ้าอ้อม ไซซ์ M", "Diaper Pants L|กางเกงผ้าอ้อม ไซซ์ L|1.1", "Diaper Pants XL|กางเกงผ้าอ้อม ไซซ์ XL|1.2"],
    sizes: ["24 pieces=179=0.9", "60 pieces=409=2.2"],
  },
  {
    category: 61,
    brands: ["Nuan Noi|นวลน้อย", "Bebe Suan|เบเบ้สวน"],
    goods: ["Pumpkin Baby Purée|อาหารเด็กฟักทองบด", "Apple Baby Purée|อาหารเด็กแอปเปิลบด", "Banana Baby Purée|อาหารเด็กกล้วยบด", "Carrot Rice Baby Purée|อาหารเด็กข้าวบดแครอต", "Salmon Rice Baby Porridge|โจ๊กเด็กข้าวผสมแซลมอน|1.4"],
    sizes: ["110 g=39", "110 g × 3=109"],
  },
  {
    category: 61,
    brands: ["Jing Jing|จิงจิง", "Nuan Noi|นวลน้อย"],
    goods: ["Baby Head-to-Toe Wash|สบู่เหลวอาบสระเด็ก", "Baby Lotion|โลชั่นเด็ก", "Baby Powder|แป้งเด็ก|0.5", "Baby Fabric Wash|น้ำยาซักผ้าเด็ก|0.7", "Bottle Cleanser|น้ำยาล้างขวดนม|0.65"],
    sizes: ["200 ml=89", "500 ml=169"],
  },
  // Health
  {
    category: 62,
    controlled: true,
    brands: ["Sabai Pharma|สบายฟาร์มา", "Osoth Thai|โอสถไท"],
    goods: ["Paracetamol 500 mg|พาราเซตามอล 500 มก.", "Ibuprofen 400 mg|ไอบูโพรเฟน 400 มก.|1.8", "Cetirizine 10 mg|เซทิริซีน 10 มก.|2", "Antacid|ยาเม็ดลดกรด|1.3", "Loperamide 2 mg|โลเพอราไมด์ 2 มก.|1.6"],
    sizes: ["10 tablets=15=0.02", "100 tablets=98=0.08"],
  },
  {
    category: 62,
    brands: ["Vita Wan|ไวต้าวัน", "Osoth Thai|โอสถไท"],
    goods: ["Vitamin C 1000 mg|วิตามินซี 1000 มก.", "Multivitamin|วิตามินรวม|1.2", "Zinc 15 mg|สังกะสี 15 มก.|0.8", "Fish Oil 1000 mg|น้ำมันปลา 1000 มก.|1.3", "Calcium|แคลเซียม|0.9", "Turmeric Extract|ขมิ้นชันสกัด|0.6"],
    sizes: ["30 tablets=149=0.08", "60 tablets=279=0.14"],
  },
  {
    category: 62,
    brands: ["Sabai Pharma|สบายฟาร์มา", "Ya Mo Thong|ยาหม้อทอง"],
    goods: ["Herbal Balm|ยาหม่องสมุนไพร", "Herbal Inhaler|ยาดมสมุนไพร|0.7", "Liniment|น้ำมันนวด|1.3", "Cough Syrup with Honey|ยาแก้ไอผสมน้ำผึ้ง|1.4"],
    sizes: ["20 g=35", "50 g=72"],
  },
  {
    category: 62,
    brands: ["Sabai Pharma|สบายฟาร์มา", "Clean Plus|คลีนพลัส"],
    goods: ["Adhesive Plasters|พลาสเตอร์ปิดแผล|0.6", "Face Masks|หน้ากากอนามัย", "Alcohol Wipes|แผ่นแอลกอฮอล์|0.9", "Cotton Buds|คอตตอนบัด|0.5"],
    sizes: ["20 pieces=39=0.06", "50 pieces=79=0.14"],
  },
  // Personal care
  {
    category: 63,
    brands: ["Phom Ngam|ผมงาม", "Silkara|ซิลคารา", "Dok Anchan|ดอกอัญชัน"],
    goods: ["Smoothing Shampoo|แชมพูผมนุ่มลื่น", "Anti-Dandruff Shampoo|แชมพูขจัดรังแค|1.15", "Butterfly Pea Shampoo|แชมพูสูตรอัญชัน|1.05", "Repair Conditioner|ครีมนวดบำรุงผมเสีย|1.05"],
    sizes: ["160 ml=69", "450 ml=165"],
  },
  {
    category: 63,
    brands: ["Sa-at Sai|สะอาดใส", "Dok Anchan|ดอกอัญชัน", "Milda|มิลดา"],
    goods: ["Milk Shower Cream|ครีมอาบน้ำสูตรน้ำนม", "Cooling Shower Gel|เจลอาบน้ำสูตรเย็นสดชื่น", "Tamarind Shower Cream|ครีมอาบน้ำสูตรมะขาม|1.05", "Antibacterial Hand Wash|สบู่เหลวล้างมือ|0.8", "Body Lotion|โลชั่นบำรุงผิวกาย|1.3"],
    sizes: ["200 ml=65", "500 ml=139"],
  },
  {
    category: 63,
    brands: ["Fan Khao|ฟันขาว", "Salatip|สาลาทิพย์"],
    goods: ["Herbal Toothpaste|ยาสีฟันสมุนไพร", "Fluoride Toothpaste|ยาสีฟันฟลูออไรด์|0.9", "Whitening Toothpaste|ยาสีฟันเพื่อฟันขาว|1.3", "Salt Toothpaste|ยาสีฟันสูตรเกลือ|0.95"],
    sizes: ["90 g=45", "160 g=75"],
  },
  {
    category: 63,
    brands: ["Sa-at Sai|สะอาดใส", "Milda|มิลดา"],
    goods: ["Bar Soap|สบู่ก้อน", "Herbal Bar Soap|สบู่ก้อนสมุนไพร|1.2", "Whitening Bar Soap|สบู่ก้อนผิวกระจ่างใส|1.3"],
    sizes: ["65 g=16", "65 g × 4=59"],
  },
  {
    category: 63,
    brands: ["Soft Day|ซอฟต์เดย์", "Nuan Nuan|นวลนวล"],
    goods: ["Day Sanitary Pads|ผ้าอนามัยกลางวัน", "Night Sanitary Pads|ผ้าอนามัยกลางคืน|1.3", "Panty Liners|แผ่นอนามัย|0.8"],
    sizes: ["8 pieces=35=0.1", "16 pieces=65=0.2"],
  },
  // Laundry and cleaning
  {
    category: 71,
    brands: ["Fong Fong|ฟองฟอง", "Khao Sa-at|ขาวสะอาด", "Lom Hom|ลมหอม"],
    goods: ["Concentrated Detergent Powder|ผงซักฟอกสูตรเข้มข้น", "Colour-Care Detergent Powder|ผงซักฟอกถนอมสีผ้า|1.1", "Detergent Powder for Indoor Drying|ผงซักฟอกสูตรตากในร่ม|1.15"],
    sizes: ["800 g=75", "2.5 kg=199"],
  },
  {
    category: 71,
    brands: ["Fong Fong|ฟองฟอง", "Lom Hom|ลมหอม"],
    goods: ["Liquid Detergent|น้ำยาซักผ้า", "Morning Breeze Fabric Softener|น้ำยาปรับผ้านุ่ม กลิ่นมอร์นิงบรีซ|0.8", "Floral Fabric Softener|น้ำยาปรับผ้านุ่ม กลิ่นดอกไม้|0.8", "Colour-Safe Bleach|น้ำยาซักผ้าขาวสำหรับผ้าสี|0.9"],
    sizes: ["600 ml=59", "1.3 L=119"],
  },
  {
    category: 71,
    brands: ["Sai Wap|ใสวับ", "Khao Sa-at|ขาวสะอาด"],
    goods: [
      "Lemon Dishwashing Liquid|น้ำยาล้างจานกลิ่นเลมอน|0.8", "Tea Dishwashing Liquid|น้ำยาล้างจานสูตรชา|0.85", "Floor Cleaner|น้ำยาทำความสะอาดพื้น", "Toilet Cleaner|น้ำยาล้างห้องน้ำ|0.9", "Glass Cleaner|น้ำยาเช็ดกระจก|0.95", "Kitchen Degreaser|น้ำยาขจัดคราบมันในครัว|1.4",
    ],
    sizes: ["500 ml=45", "900 ml=75"],
  },
  // Household
  {
    category: 72,
    brands: ["Nuan Nuan|นวลนวล", "Pui Fai|ปุยฝ้าย"],
    goods: ["Toilet Paper|กระดาษชำระ", "Kitchen Towels|กระดาษอเนกประสงค์|1.5"],
    sizes: ["6 rolls=65=0.6", "24 rolls=235=2.4"],
  },
  {
    category: 72,
    brands: ["Nuan Nuan|นวลนวล", "Pui Fai|ปุยฝ้าย"],
    goods: ["Facial Tissues|กระดาษเช็ดหน้า", "Wet Wipes|ทิชชูเปียก|1.3", "Pocket Tissues|กระดาษเช็ดหน้าแบบพกพา|0.6"],
    sizes: ["80 sheets=25=0.18", "150 sheets=42=0.32"],
  },
  {
    category: 72,
    brands: ["Ban Riap|บ้านเรียบ", "Clean Plus|คลีนพลัส"],
    goods: ["Black Bin Bags 24 × 28 in|ถุงขยะดำ 24 × 28 นิ้ว", "Black Bin Bags 30 × 40 in|ถุงขยะดำ 30 × 40 นิ้ว|1.6", "Zip Bags|ถุงซิปล็อก|1.2", "Food Bags|ถุงร้อนใส่อาหาร|0.6", "Scouring Pads|แผ่นใยขัด|0.9", "AA Batteries|ถ่านอัลคาไลน์ AA|4"],
    sizes: ["10 pieces=32=0.3", "20 pieces=59=0.6"],
  },
  // Pets
  {
    category: 73,
    brands: ["Tup Tup|ตุ๊บตุ๊บ", "Meow Mee|เหมียวมี"],
    goods: ["Dry Cat Food with Tuna|อาหารแมวชนิดเม็ด รสทูน่า", "Dry Cat Food with Salmon|อาหารแมวชนิดเม็ด รสแซลมอน|1.1", "Dry Dog Food with Beef|อาหารสุนัขชนิดเม็ด รสเนื้อ|0.9", "Dry Dog Food with Chicken|อาหารสุนัขชนิดเม็ด รสไก่|0.85"],
    sizes: ["500 g=79", "1.2 kg=169", "3 kg=395"],
  },
  {
    category: 73,
    brands: ["Tup Tup|ตุ๊บตุ๊บ", "Meow Mee|เหมียวมี"],
    goods: ["Cat Food Pouch with Tuna in Gravy|อาหารแมวแบบซอง ทูน่าในน้ำเกรวี่", "Cat Food Pouch with Chicken in Jelly|อาหารแมวแบบซอง ไก่ในเจลลี่", "Dog Food Pouch with Chicken|อาหารสุนัขแบบซอง ไก่|1.15", "Cat Treats|ขนมแมวเลีย|1.3"],
    sizes: ["75 g=17.5", "75 g × 12=199"],
  },
  {
    category: 73,
    brands: ["Meow Mee|เหมียวมี"],
    goods: ["Bentonite Cat Litter|ทรายแมวเบนโทไนต์", "Tofu Cat Litter|ทรายแมวเต้าหู้|1.9"],
    sizes: ["5 kg=109", "10 kg=205"],
  },
];
